import type { ComponentPropsWithRef } from "react";
import { cn } from "@/components/ui/cn";

type TextInputProps = ComponentPropsWithRef<"input"> & {
  /** For what people compare character by character. */
  mono?: boolean;
};

export function TextInput({ mono = false, type = "text", className, ...rest }: TextInputProps) {
  return <input {...rest} type={type} className={inputStyle(mono, className)} />;
}

/** 16 px on a phone: smaller text makes the browser zoom in on focus. */
export function inputStyle(mono: boolean, className?: string): string {
  return cn(
    "block min-h-10 w-full min-w-0 rounded-control border border-control-line bg-surface px-3 py-1.5 text-base text-ink",
    "focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-ink-3 aria-invalid:border-bad",
    mono ? "font-mono sm:text-small" : "sm:text-sm",
    className,
  );
}

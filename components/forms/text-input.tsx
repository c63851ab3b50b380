"use client";

import {
  type ComponentPropsWithRef,
  type ComponentPropsWithoutRef,
  useEffect,
  useEffectEvent,
  useRef,
  type KeyboardEvent,
} from "react";
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

type SelectProps = Omit<ComponentPropsWithoutRef<"select">, "value" | "onChange" | "className"> & {
  value: string;
  onChange: (value: string) => void;
};

export function Select({ value, onChange, ...rest }: SelectProps) {
  const control = useEarlyInput<HTMLSelectElement>(value, (early) => onChange(early.value));
  return (
    <select
      {...rest}
      ref={control}
      // After a reload a browser would restore what was chosen for another address.
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={inputStyle(false)}
    />
  );
}

/**
 * For a controlled field that the server draws: text that a person typed or chose before the scripts arrived counts.
 * `drawn` is the value that the server drew; the result is the field's ref.
 */
export function useEarlyInput<Control extends HTMLInputElement | HTMLSelectElement>(
  drawn: string,
  onEarly: (control: Control) => void,
) {
  const control = useRef<Control>(null);
  const compare = useEffectEvent(() => {
    if (control.current && control.current.value !== drawn) onEarly(control.current);
  });
  useEffect(() => compare(), []);
  return control;
}

/** As high as its text, which stands in the middle of one line's height as in an `input`. */
const oneLine = "field-sizing-content resize-none break-all pt-1.75 sm:pt-2.25";

/**
 * A field for one line of text that people copy and compare character by character. An `input` would silently turn
 * pasted line breaks into spaces; here they stay visible, so the field can report them. A long line wraps instead of
 * being cut. Enter submits the form, as in an `input`.
 */
export function LineInput({ className, ...rest }: ComponentPropsWithRef<"textarea">) {
  return (
    <textarea
      {...rest}
      rows={1}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      onKeyDown={submitOnEnter}
      className={inputStyle(true, cn(oneLine, className))}
    />
  );
}

/** Presses the form's own button, so that the button's state (busy, absent) holds for Enter too. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.repeat) return;
  for (const control of event.currentTarget.form?.elements ?? []) {
    if (control instanceof HTMLButtonElement && control.type === "submit") return control.click();
  }
}

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

type TextInputProps = Omit<ComponentPropsWithRef<"input">, "type"> & {
  /** A password has a field of its own, `PasswordInput`. */
  type?: "text" | "email" | "date";
  /** Monospace, for text that people compare character by character. */
  mono?: boolean;
};

export function TextInput({ mono = false, type = "text", className, ...rest }: TextInputProps) {
  return <input autoComplete="off" {...rest} type={type} className={inputStyle(mono, className)} />;
}

/** For a value that belongs to nobody's login: password managers beside the browser's own leave the field alone. */
export const noLogin = {
  "data-1p-ignore": "true",
  "data-bwignore": "true",
  "data-form-type": "other",
  "data-lpignore": "true",
};

/** 16 px on a phone: with smaller text, the browser zooms in on focus. */
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
      // After a reload, a browser would restore a choice made under another URL.
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={inputStyle(false)}
    />
  );
}

/**
 * Keeps what a person typed or chose in a controlled, server-rendered field before hydration. `rendered` is the value
 * that the server rendered; the result is the field's ref.
 */
export function useEarlyInput<Control extends HTMLInputElement | HTMLSelectElement>(
  rendered: string,
  onEarly: (control: Control) => void,
) {
  const control = useRef<Control>(null);
  const compare = useEffectEvent(() => {
    if (control.current && control.current.value !== rendered) onEarly(control.current);
  });
  useEffect(() => compare(), []);
  return control;
}

/** Grows with its text, and centres a single line vertically as an `input` does. */
const oneLine = "field-sizing-content resize-none break-all pt-1.75 sm:pt-2.25";

/**
 * A field for one line of text that people copy and compare character by character. An `input` would silently turn
 * pasted line breaks into spaces; here they stay, so the field can report them. A long line wraps instead of being cut
 * off. Enter submits the form, as in an `input`.
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

/** Clicks the form's submit button, so that Enter does nothing while the button is pending or absent. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.repeat) return;
  for (const control of event.currentTarget.form?.elements ?? []) {
    if (control instanceof HTMLButtonElement && control.type === "submit") return control.click();
  }
}

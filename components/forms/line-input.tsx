"use client";

import type { ComponentPropsWithRef, KeyboardEvent } from "react";
import { cn } from "@/components/ui/cn";
import { inputStyle } from "./text-input";

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

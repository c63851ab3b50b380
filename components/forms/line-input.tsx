"use client";

import type { ComponentPropsWithRef, KeyboardEvent } from "react";
import { cn } from "@/components/ui/cn";
import { inputStyle } from "./text-input";

/** As high as its text, which stands in the middle of one line's height as in an `input`. */
const oneLine = "field-sizing-content resize-none break-all pt-1.75 sm:pt-2.25";

/**
 * A field for one line of text that people copy and compare character by character. An `input` would make spaces of
 * the line breaks in what is pasted, without a word; here they stay, to be seen and told. A long line wraps instead of
 * being cut. Enter submits the form, as it does in an `input`.
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

/** Presses the form's own button, so that what holds for the button (busy, absent) holds for Enter too. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.repeat) return;
  for (const control of event.currentTarget.form?.elements ?? []) {
    if (control instanceof HTMLButtonElement && control.type === "submit") return control.click();
  }
}

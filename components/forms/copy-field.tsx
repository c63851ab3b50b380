"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "./field";
import { TextInput } from "./text-input";

type CopyFieldProps = {
  label: string;
  text: string;
  /** The button's name. */
  copyLabel: string;
};

/** A text to copy elsewhere, with a button for it; where the browser refuses, people can select the text. */
export function CopyField({ label, text, copyLabel }: CopyFieldProps) {
  const t = useTranslations("common");
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

  async function copy() {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setState(copied ? "copied" : "failed");
  }

  const message = { idle: "", copied: t("copied"), failed: t("copyFailed") }[state];
  return (
    <div className="flex flex-col">
      <Field label={label} hint={message || null}>
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <TextInput
              {...control}
              mono
              readOnly
              value={text}
              onFocus={(event) => event.target.select()}
              className="flex-1 basis-56"
            />
            <Button
              variant="primary"
              size="lg"
              icon={state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
              onClick={() => void copy()}
            >
              {copyLabel}
            </Button>
          </div>
        )}
      </Field>
      <span aria-live="polite" className="sr-only">
        {message}
      </span>
    </div>
  );
}

"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button";

type CopyButtonProps = {
  text: string;
  /** The button's accessible name. */
  label: string;
  className?: string;
};

type State = "idle" | "copied" | "failed";

/** Milliseconds for which the outcome is shown. */
const shownMs = { copied: 2_000, failed: 10_000 };

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const t = useTranslations("common");
  const [state, setState] = useState<State>("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), shownMs[state]);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
  }

  const message = { idle: "", copied: t("copied"), failed: t("copyFailed") }[state];
  return (
    <>
      <IconButton
        label={label}
        title={message || label}
        onClick={() => void copy()}
        icon={state === "copied" ? <Check aria-hidden className="text-ok" /> : <Copy aria-hidden />}
        {...(className ? { className } : {})}
      />
      {/* Not role=status: a page has many copy buttons, and only a result is a status. */}
      <span aria-live="polite" className={state === "failed" ? "text-small text-bad" : "sr-only"}>
        {message}
      </span>
    </>
  );
}

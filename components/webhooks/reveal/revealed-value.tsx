"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";

type RevealedValueProps = {
  value: string;
  typeName: string;
  changed: boolean;
  seconds: number;
  onOver: () => void;
  onClose: () => void;
};

/**
 * The value as text, not as a field's value, which browsers offer to fill in again. It takes the focus, so that a
 * screen reader says it and for how long it is there.
 */
export function RevealedValue(props: RevealedValueProps) {
  const { value, typeName, changed, seconds, onOver, onClose } = props;
  const t = useTranslations();
  const aboutId = useId();
  const text = useRef<HTMLDivElement>(null);
  const left = useShownFor(seconds, onOver);
  useEffect(() => text.current?.focus(), []);

  return (
    <div className="flex flex-col gap-4">
      {changed ? (
        <Notice tone="warn" role="status" title={t("webhooks.reveal.changed")}>
          {t("webhooks.reveal.changedText")}
        </Notice>
      ) : null}
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunken p-1">
        <div
          ref={text}
          role="textbox"
          aria-readonly
          aria-label={t("webhooks.reveal.value", { type: typeName })}
          aria-describedby={aboutId}
          tabIndex={0}
          dir="ltr"
          translate="no"
          className="min-h-8 min-w-0 flex-1 rounded-control px-2 py-1.5 font-mono text-[0.8125rem] leading-5 break-all whitespace-pre-wrap text-ink select-all"
        >
          {value}
        </div>
        <CopyButton text={value} label={t("webhooks.reveal.copy")} />
      </div>
      <div className="flex flex-col gap-0.5 text-small text-ink-2">
        <p id={aboutId}>{t("webhooks.reveal.about", { seconds })}</p>
        <p>{t("webhooks.reveal.copyStays")}</p>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-small text-ink-2 tabular-nums">
          {t("webhooks.reveal.left", { seconds: left })}
        </p>
        <Button onClick={onClose}>{t("common.close")}</Button>
      </div>
    </div>
  );
}

/**
 * Whole seconds left of those for which something is shown; calls `onOver` once when there are none. Counted on two
 * clocks, whichever is ahead: one stands still while a computer sleeps, the other can be set.
 */
function useShownFor(seconds: number, onOver: () => void): number {
  const [left, setLeft] = useState(seconds);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const began = { steady: performance.now(), day: Date.now() };
    const timer = setInterval(() => {
      const passed = Math.max(performance.now() - began.steady, Date.now() - began.day) / 1_000;
      setLeft(Math.max(0, Math.ceil(seconds - passed)));
      if (passed < seconds) return;
      clearInterval(timer);
      over();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}

"use client";

import { Hint } from "@/components/ui/hint";
import { Button } from "@/components/ui/button";
import { hiddenIn } from "@/lib/webhooks/model/rules/hidden-characters";
import { TriangleAlert } from "lucide-react";
import { type Messages, useFormatter, useTranslations } from "next-intl";
import { useEffect, useRef } from "react";

type Warning = keyof Messages["webhooks"]["sheet"]["warnings"];

type FieldAdviceProps = {
  /** The field's value. */
  typed: string;
  /** What the person probably meant, where the typed value is not allowed. */
  suggestion: string | undefined;
  onUse: (suggestion: string) => void;
  /** Warnings about an allowed value that may not be intended. */
  warnings: readonly Warning[];
};

/** The advice under a field of the sheet, beside its hint and its error. */
export function FieldAdvice({ typed, suggestion, onUse, warnings }: FieldAdviceProps) {
  const t = useTranslations("webhooks.sheet");
  const format = useFormatter();
  const hidden = hiddenIn(typed);
  const list = format.list(hidden.map((name) => t(`hidden.${name}`)));
  return (
    <>
      {/* Always there, so that assistive technology reads out the result of a paste. */}
      <p aria-live="polite" className="text-small text-ink-2 empty:hidden">
        {hidden.length > 0 ? t(suggestion ? "hiddenLeftOut" : "hiddenFound", { list }) : ""}
      </p>
      {suggestion ? (
        <Button
          size="sm"
          className="max-w-full shrink self-start text-left font-mono break-all"
          onClick={() => onUse(suggestion)}
        >
          {t("useSuggestion", { suggestion })}
        </Button>
      ) : null}
      {warnings.map((warning) => (
        <Hint key={warning} tone="warn" icon={TriangleAlert}>
          {t(`warnings.${warning}`)}
        </Hint>
      ))}
    </>
  );
}

/**
 * No error shows while somebody types for the first time, but characters that cannot be seen or typed came by a paste,
 * and the field reports them at once.
 */
export function hiddenProblem(
  check: { ok: true } | { ok: false; code: string },
): string | undefined {
  if (check.ok) return undefined;
  return ["invisible_character", "line_break"].find((code) => code === check.code);
}

/**
 * Delays what would move the page until the pointer is released. An error that appears on blur would otherwise push the
 * pressed element from under the pointer, and the click would hit nothing.
 */
export function useAfterPress(): (work: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    const down = () => {
      pressed.current = true;
    };
    const up = () => {
      pressed.current = false;
      // The click itself comes after the release.
      const work = waiting.current.splice(0);
      setTimeout(() => work.forEach((each) => each()));
    };
    const options = { capture: true };
    window.addEventListener("pointerdown", down, options);
    window.addEventListener("pointerup", up, options);
    window.addEventListener("pointercancel", up, options);
    return () => {
      window.removeEventListener("pointerdown", down, options);
      window.removeEventListener("pointerup", up, options);
      window.removeEventListener("pointercancel", up, options);
    };
  }, []);

  return (work) => {
    if (pressed.current) waiting.current.push(work);
    else work();
  };
}

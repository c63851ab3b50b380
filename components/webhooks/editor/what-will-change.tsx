"use client";

import type { TypeDiff } from "@/lib/webhooks/model/diff";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { DiffBlock } from "@/components/webhooks/compare/diff-block";

type WhatWillChangeProps = { diffs: readonly TypeDiff[]; hasUrl: boolean };

/** Before and after of every type that the save is about. */
export function WhatWillChange({ diffs, hasUrl }: WhatWillChangeProps) {
  const t = useTranslations("webhooks");
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <h3 id={headingId} className="text-small font-medium">
        {t("sheet.changes")}
      </h3>
      {!hasUrl ? (
        <p className="rounded-control border border-dashed border-line-strong px-3 py-2.5 text-small text-ink-3">
          {t("sheet.changesUnknown")}
        </p>
      ) : (
        <>
          {diffs.every(({ effect }) => effect === "keep") ? (
            <p className="text-small text-ink-2">{t("sheet.changesNothing")}</p>
          ) : null}
          {diffs.map(({ type, effect, before, after }) => (
            <DiffBlock
              key={type}
              heading={`${t(`types.${type}`)} · ${t(`sheet.effects.${effect}`)}`}
              before={before}
              after={after}
            />
          ))}
        </>
      )}
    </section>
  );
}

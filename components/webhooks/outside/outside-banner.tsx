"use client";

import { listOf } from "@/components/webhooks/types-list";
import { FailureNotice } from "@/components/forms/failure-notice";
import { ResultNotice } from "@/components/forms/result-notice";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { AbsoluteTime } from "@/components/ui/time";
import { isOnlyValue } from "@/lib/history/model/only-value";
import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import { EditButton } from "@/components/webhooks/list/edit-button";
import { useAcknowledge } from "@/lib/webhooks/client/use-acknowledge";
import { sameShownVersion, shownVersionInHistory } from "@/lib/webhooks/model/compare";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { outsideVersions, restoringSheets } from "@/lib/webhooks/model/draft";
import { exposureOf } from "@/lib/webhooks/model/exposure";
import { TriangleAlert, Undo2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId } from "react";

type OutsideBannerProps = {
  configuration: Configuration;
  /** Whether this person may acknowledge the change. */
  mayAnswer: boolean;
};

/** A change made outside Gancho, shown until somebody acknowledges it or restores the previous version. */
export function OutsideBanner({ configuration, mayAnswer }: OutsideBannerProps) {
  const t = useTranslations("webhooks");
  const all = useTranslations();
  const format = useFormatter();
  const titleId = useId();
  const changes = configuration.outside ?? [];
  const { done, failure, pending, send } = useAcknowledge(useHere().ref, changes);
  if (changes.length === 0)
    return done ? (
      <ResultNotice
        result={{
          tone: "ok",
          title: t("outside.answered"),
          children: t("outside.answeredText"),
        }}
        takesFocus
      />
    ) : null;
  const changed = changes.map(({ type }) => type);
  const exposure = exposureOf(configuration, changed);
  const sheets = restoringSheets(outsideVersions(configuration), "previous");
  const types = listOf(changed, all);
  const times = changes.flatMap(({ since, at }) => [since, at]).sort();
  const [since = "", until = ""] = [times[0], times.at(-1)];
  const isBack = changes.every(({ before, after }) =>
    sameShownVersion(shownVersionInHistory(before), shownVersionInHistory(after)),
  );
  const onlyValues = changes.every(isOnlyValue);
  return (
    <div
      role="group"
      aria-labelledby={titleId}
      className="flex flex-wrap items-start gap-x-6 gap-y-4 rounded-card border border-warn-line bg-warn-soft px-4 py-4"
    >
      <div className="flex min-w-0 flex-1 basis-96 items-start gap-3">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 id={titleId} className="font-semibold text-warn">
            {t(onlyValues ? "outside.otherValue" : "outside.title", {
              types,
              count: changes.length,
            })}
          </h2>
          <p className="text-pretty">
            {since === until
              ? t.rich("outside.seen", { time: () => <AbsoluteTime at={until} /> })
              : t.rich("outside.seenTwice", {
                  first: () => <AbsoluteTime at={since} />,
                  last: () => <AbsoluteTime at={until} />,
                })}{" "}
            {t(`outside.${isBack ? "isBack" : onlyValues ? "either" : "nobody"}`)}{" "}
            {mayAnswer && !isBack ? t(`outside.${onlyValues ? "either" : "nobody"}Next`) : null}
          </p>
          {isBack ? null : (
            <div className="mt-2 flex max-w-3xl flex-col gap-2 *:bg-surface">
              {changes.map(({ type, before, after }) => (
                <ChangeDiff
                  key={type}
                  change={{ type, before, after, outcome: "seen" }}
                  named={changes.length > 1}
                />
              ))}
            </div>
          )}
          {exposure ? (
            <p className="mt-1 text-pretty">
              {exposure.hosts.length > 0
                ? t("outside.exposed", { hosts: format.list(exposure.hosts) })
                : t("outside.exposedBack")}{" "}
              {mayAnswer
                ? t(`outside.exposed${exposure.hosts.length > 0 ? "" : "Back"}Next`)
                : null}
            </p>
          ) : null}
          {mayAnswer ? null : <p className="mt-1 text-small text-ink-2">{t("outside.whoCan")}</p>}
          <FailureNotice
            failure={failure}
            unreachable={t("outside.unreachable")}
            className="mt-3"
          />
        </div>
      </div>
      {mayAnswer ? (
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-auto">
          <Button pending={pending} onClick={() => void send()}>
            {t("outside.ours")}
          </Button>
          {isBack
            ? null
            : sheets.map((sheet) => (
                <EditButton
                  key={sheet.type}
                  opens={sheet}
                  variant={sheets.length > 1 ? "secondary" : "primary"}
                  icon={<Undo2 aria-hidden />}
                >
                  {sheets.length > 1
                    ? t("outside.restoreType", { type: t(`types.${sheet.type}`) })
                    : t("outside.restore")}
                </EditButton>
              ))}
        </div>
      ) : null}
    </div>
  );
}

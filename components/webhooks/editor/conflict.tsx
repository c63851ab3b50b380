"use client";

import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { conflictOf, overwrittenAuthors, type TypeConflict } from "@/lib/webhooks/model/compare";
import type { Draft } from "@/lib/webhooks/model/draft";
import { useFormatter, useTranslations } from "next-intl";
import { ComparedVersion } from "@/components/webhooks/compare/compared-version";
import { Button } from "@/components/ui/button";

type ConflictNoticeProps = {
  opened: Configuration;
  now: Configuration;
  draft: Draft;
};

/**
 * Somebody was quicker: three versions per type, each marked where it differs from the one before it. The choice stands
 * in the sheet's footer, in place of the save button.
 */
export function ConflictNotice({ opened, now, draft }: ConflictNoticeProps) {
  const t = useTranslations("webhooks");
  return (
    <Notice role="alert" tone="warn" title={t("result.not_saved")}>
      <div className="flex flex-col gap-3">
        <p>{t("conflict.text")}</p>
        {conflictOf(opened, now, draft).map((conflict) => (
          <Comparison key={conflict.type} conflict={conflict} />
        ))}
      </div>
    </Notice>
  );
}

function Comparison({ conflict }: { conflict: TypeConflict }) {
  const t = useTranslations("webhooks");
  const { type, opened, mine, now, changed } = conflict;
  const name = t(`types.${type}`);
  return (
    <div className="overflow-hidden rounded-control border border-line-strong bg-surface">
      <div className="border-b border-line px-3 py-2">
        <h3 className="font-semibold">{name}</h3>
        {changed ? (
          <p className="text-small text-ink-2">
            {changed.by === null
              ? t.rich(changed.onlyValue ? "conflict.otherValue" : "conflict.changedOutside", {
                  time: () => <RelativeTime at={changed.at} />,
                })
              : t.rich("conflict.changedBy", {
                  name: changed.by,
                  time: () => <RelativeTime at={changed.at} />,
                })}
          </p>
        ) : null}
        {mine ? null : <p className="text-small text-ink-2">{t("conflict.untouched")}</p>}
      </div>
      <dl className="divide-y divide-line">
        <ComparedVersion name={t("conflict.opened")} version={opened} />
        <ComparedVersion
          name={t("conflict.now")}
          version={now}
          emphasis="now"
          {...(opened ? { since: opened } : {})}
        />
        {mine ? (
          <ComparedVersion
            name={t("conflict.mine")}
            version={mine}
            emphasis="mine"
            {...(now ? { since: now } : {})}
          />
        ) : null}
      </dl>
    </div>
  );
}

type ConflictChoiceProps = {
  pending: boolean;
  conflicts: readonly TypeConflict[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/**
 * The two ways to resolve a conflict, always in view, one named by whose change it overwrites. Pressing save again
 * decides nothing.
 */
export function ConflictChoice({
  pending,
  conflicts,
  onKeepMine,
  onTakeTheirs,
}: ConflictChoiceProps) {
  const t = useTranslations("webhooks.conflict");
  const format = useFormatter();
  const authors = overwrittenAuthors(conflicts).map((name) => name ?? t("unknownClient"));
  return (
    <>
      <Button disabled={pending} onClick={onTakeTheirs}>
        {t("takeTheirs")}
      </Button>
      <Button variant="primary" pending={pending} onClick={onKeepMine}>
        {authors.length > 0
          ? t("overwriteOf", { names: format.list(authors), count: authors.length })
          : t("keepMine")}
      </Button>
    </>
  );
}

"use client";

import { usePersonName } from "@/components/ui/person-name";
import { Card } from "@/components/ui/card";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { ConfiguredWebhook, RecentChange } from "@/lib/webhooks/model/configuration";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { EditButton, type Editing } from "./edit-button";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { AbsoluteTime } from "@/components/ui/time";
import {
  CircleHelp,
  CircleX,
  Eye,
  Hourglass,
  Pencil,
  TimerOff,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import {
  sameAuthorization,
  type ShownAuthorization,
  shownVersionInHistory,
} from "@/lib/webhooks/model/compare";
import type { WebhookType } from "@/lib/webhooks/model/types";

type RecentChangesProps = {
  entries: readonly RecentChange[];
  /** The registered version: there is nothing to restore. */
  now: readonly ConfiguredWebhook[];
  editing: Editing;
  onOpen: (address: SheetAddress) => void;
  /** The full history's page. */
  historyHref?: string;
};

export function RecentChanges({ entries, historyHref, ...restoring }: RecentChangesProps) {
  const t = useTranslations("webhooks.recent");
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("title")}
        </h2>
        {historyHref ? (
          <Link
            href={historyHref}
            prefetch={false}
            className="text-small font-medium text-brand hover:underline"
          >
            {t("all")}
          </Link>
        ) : null}
      </div>
      {entries.length === 0 ? (
        <p className="rounded-card border border-dashed border-line-strong px-5 py-4 text-ink-2">
          {t("empty")}
        </p>
      ) : (
        <Card>
          <ul className="divide-y divide-line">
            {entries.map((entry) => (
              <RecentLine key={entry.id} entry={entry} {...restoring} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

const icons = {
  saved: Pencil,
  unchanged: Pencil,
  partial: TriangleAlert,
  not_saved: CircleX,
  accepted: Hourglass,
  unknown: CircleHelp,
  overtaken: Undo2,
  not_applied: TimerOff,
  seen: TriangleAlert,
  revealed: Eye,
} as const;

type RecentLineProps = Pick<RecentChangesProps, "now" | "editing" | "onOpen"> & {
  entry: RecentChange;
};

/** One line: what happened, who did it, when; the difference, where there is one, on demand. */
function RecentLine({ entry, now, editing, onOpen }: RecentLineProps) {
  const nameOf = usePersonName();
  const t = useTranslations();
  const words = useRecentWords();
  const [open, setOpen] = useState(false);
  const ids = { what: useId(), button: useId(), diff: useId() };
  const Icon = icons[entry.outcome];
  const details = words.details(entry);
  const restoring = entry.seq
    ? restoringSheets(
        addressesBefore(entry.changes).filter(
          ({ type, callbackUrl }) =>
            !now.some((webhook) => webhook.type === type && webhook.callbackUrl === callbackUrl),
        ),
        `entry.${entry.seq}`,
      )
    : [];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,14rem)_auto] sm:items-center sm:px-5">
      <Icon aria-hidden className="mt-0.5 size-4 text-ink-2 sm:row-span-1" />
      <div className="min-w-0">
        <p id={ids.what}>{words.description(entry)}</p>
        {details ? <p className="text-small text-ink-3 first-letter:uppercase">{details}</p> : null}
      </div>
      <div className="min-w-0 max-sm:col-start-2">
        <p className="[overflow-wrap:anywhere]">
          {(entry.by === null ? null : nameOf(entry.by)) ??
            (entry.kind === "shown_again" ? null : (
              <span title={t("history.unknownClientHint")}>{t("history.unknownClient")}</span>
            ))}
        </p>
        {entry.proposedBy === undefined ? null : (
          <p className="text-small [overflow-wrap:anywhere] text-ink-2">
            {t("history.proposedBy", { name: nameOf(entry.proposedBy) })}
          </p>
        )}
        <p className="text-small text-ink-3">
          <AbsoluteTime at={entry.at} />
        </p>
      </div>
      {entry.changes.length > 0 ? (
        <Button
          id={ids.button}
          variant="ghost"
          size="sm"
          aria-expanded={open}
          aria-controls={open ? ids.diff : undefined}
          aria-labelledby={`${ids.button} ${ids.what}`}
          onClick={() => setOpen(!open)}
          className="max-sm:col-start-2 max-sm:-ml-2.5 max-sm:justify-self-start"
        >
          {open ? t("history.hideDiff") : t("history.viewDiff")}
        </Button>
      ) : null}
      {open ? (
        <div id={ids.diff} className="col-span-full flex flex-col gap-2 pt-1 sm:pl-8">
          {entry.changes.map((change) => (
            <ChangeDiff key={change.type} change={change} />
          ))}
          {restoring.length > 0 ? (
            <div className="flex flex-wrap gap-2">
              {restoring.map((sheet) => (
                <EditButton
                  key={sheet.type}
                  editing={editing}
                  opens={sheet}
                  onOpen={onOpen}
                  size="sm"
                  icon={<Undo2 aria-hidden />}
                >
                  {restoring.length > 1
                    ? t("webhooks.card.restoreType", { type: t(`webhooks.types.${sheet.type}`) })
                    : t("webhooks.card.restore")}
                </EditButton>
              ))}
            </div>
          ) : null}
          {entry.requestId ? (
            <p className="text-small text-ink-3">
              {t("history.requestId", { requestId: entry.requestId })}
            </p>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

/** A recent change in words: the action, and its effect. The history's page says more (entry-words.ts). */
function useRecentWords() {
  const t = useTranslations();

  const list = (types: readonly WebhookType[]) => {
    const [first, second] = types;
    return t(`webhooks.typesList.${second ? "both" : (first ?? "pix_in")}`);
  };
  const strong = (types: readonly WebhookType[]) => () => (
    <strong className="font-semibold">{list(types)}</strong>
  );

  function description({ kind, outcome, changes, types }: RecentChange): ReactNode {
    const of = (wanted: WebhookChange["outcome"]) =>
      changes.filter((change) => change.outcome === wanted).map(({ type }) => type);
    const [created, overwritten] = [of("created"), of("overwritten")];
    if (kind === "shown_again") return t.rich("history.said.shown_again", { types: strong(types) });
    if (outcome !== "saved") return t.rich(`history.said.${outcome}`, { types: strong(types) });
    if (created.length > 0 && overwritten.length > 0) {
      return t.rich("history.said.createdAndOverwritten", {
        created: strong(created),
        overwritten: strong(overwritten),
      });
    }
    return created.length > 0
      ? t.rich("history.said.created", { types: strong(created) })
      : t.rich("history.said.overwritten", { types: strong(overwritten) });
  }

  function details({ outcome, changes, reason, earlier }: RecentChange): string | null {
    const before =
      earlier && t("history.details.earlier", { said: t(`history.outcomes.${earlier}`) });
    const unseen = isNotShown(outcome, changes) && t("history.details.authorizationNotShown");
    return [...about(outcome, changes, reason), unseen, before].filter(Boolean).join(" · ") || null;
  }

  function about(
    outcome: RecentChange["outcome"],
    changes: readonly WebhookChange[],
    reason: RecentChange["reason"],
  ): (string | null)[] {
    switch (outcome) {
      case "saved":
        return [changed(changes), t("history.details.readBack")];
      case "seen":
        return [changed(changes)];
      // The words for these also say why.
      case "accepted":
      case "overtaken":
      case "not_applied":
        return [];
      default:
        return [isProblemCode(reason) ? t(`problems.${reason}.title`) : null];
    }
  }

  function changed(changes: readonly WebhookChange[]): string | null {
    const overwritten = changes.filter(({ before, after }) => before && after);
    const sides = overwritten.map(({ before, after }) => ({
      before: shownVersionInHistory(before),
      after: shownVersionInHistory(after),
    }));
    const url = sides.some(({ before, after }) => before?.url !== after?.url);
    const moved = sides.flatMap(({ before, after }) =>
      before && after && isAnotherValue(before.authorization, after.authorization)
        ? { before: before.authorization.kind, after: after.authorization.kind }
        : [],
    );
    if (url && moved.length > 0) return t("history.details.urlAndAuthorization");
    if (url) return t("history.details.url");
    if (moved.length === 0) return null;
    if (moved.every(({ after }) => after === "unset")) {
      return t("history.details.authorizationRemoved");
    }
    return moved.every(({ before, after }) => before === "unset" && after === "set")
      ? t("history.details.authorizationSet")
      : t("history.details.authorization");
  }

  return { description, details };
}

/** Whether the outcome of the value is among what the service does not show. */
function isNotShown(outcome: RecentChange["outcome"], changes: readonly WebhookChange[]): boolean {
  if (changes.some(({ authorization }) => authorization === "not_shown")) return true;
  return outcome === "seen" && changes.some(({ before, after }) => before?.hidden || after?.hidden);
}

/** A value that is not shown is unknown. */
function isAnotherValue(before: ShownAuthorization, after: ShownAuthorization): boolean {
  if (before.kind === "hidden" || after.kind === "hidden") return false;
  return !sameAuthorization(before, after);
}

import { usePersonName } from "@/components/ui/person-name";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { CheckedItem, HistoryItem } from "@/lib/history/model/item";
import { sameShownVersion, shownVersionInHistory } from "@/lib/webhooks/model/compare";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import { searchWithSheet } from "@/lib/webhooks/model/sheet-address";
import { Check, ShieldAlert, Undo2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { describeEntry } from "./entry-words";
import type { Description, Tone } from "./description";
import { AbsoluteTime, ClockTime } from "@/components/ui/time";

type TimelineEntryProps = {
  item: CheckedItem;
  /** The viewer of their own entries. */
  self?: string;
  /** The Webhooks page, for a person who may restore an address there. */
  restoresAt?: string | undefined;
  /** Earlier entries that differ only in their time. */
  others?: readonly CheckedItem[];
  /** It stands under its day. */
  onItsDay?: boolean;
};

/** What happened, what changed, why, and who, when and from where. */
export function TimelineEntry({
  item,
  self,
  restoresAt,
  others = [],
  onItsDay = false,
}: TimelineEntryProps) {
  const t = useTranslations();
  const description = describeEntry(item, t);
  const sentenceId = useId();
  const failed = description.tone === "bad" || description.requested !== undefined;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 py-2.5 sm:grid-cols-[auto_minmax(0,1fr)_11rem] sm:gap-x-4 lg:grid-cols-[auto_minmax(0,1fr)_16rem]">
      <EntryIcon description={description} />
      <div className="flex min-w-0 flex-col gap-1.5 pt-0.5">
        <p
          id={sentenceId}
          className="flex flex-wrap items-center gap-x-2.5 gap-y-1 [overflow-wrap:anywhere]"
        >
          {description.sentence}
          {description.readBack ? (
            <Badge tone="neutral" icon={<Check aria-hidden />}>
              {t("timeline.readBack")}
            </Badge>
          ) : null}
          {item.intact ? null : (
            <Badge tone="bad" icon={<ShieldAlert aria-hidden />}>
              {t("timeline.altered.mark")}
            </Badge>
          )}
        </p>
        <Diffs changes={description.changes ?? []} named={item.types.length > 1} />
        {restoresAt !== undefined && item.intact ? (
          <Restore
            changes={description.changes ?? []}
            seq={item.seq}
            at={restoresAt}
            about={sentenceId}
          />
        ) : null}
        {description.notes?.map((note) => (
          <p key={note} className="max-w-prose text-small [overflow-wrap:anywhere] text-ink-2">
            {note}
          </p>
        ))}
        {description.requested && description.requested.length > 0 ? (
          <details>
            <summary className="w-fit rounded-control text-small font-medium text-brand">
              {t("timeline.asked")}
            </summary>
            <div className="mt-2">
              <Diffs changes={description.requested} named={item.types.length > 1} />
            </div>
          </details>
        ) : null}
        {failed && item.requestId ? (
          <p className="text-small text-ink-3">
            {t("timeline.request", { requestId: item.requestId })}
          </p>
        ) : null}
        <Others items={others} {...(self !== undefined && { self })} />
      </div>
      <div className="max-sm:col-start-2 sm:pt-0.5">
        <EntryBy item={item} self={self} onItsDay={onItsDay} />
      </div>
    </li>
  );
}

/** The rest of a run that its newest entry stands for. */
function Others({ items, self }: { items: readonly CheckedItem[]; self?: string }) {
  const t = useTranslations("timeline.run");
  const oldest = items.at(-1);
  if (!oldest) return null;
  return (
    <details>
      <summary className="w-fit rounded-control text-small font-medium text-brand">
        {t.rich("more", { count: items.length, time: () => <ClockTime at={oldest.at} /> })}
      </summary>
      <ol aria-label={t("list")} className="mt-1 divide-y divide-line">
        {items.map((item) => (
          <TimelineEntry
            key={item.seq}
            item={item}
            onItsDay
            {...(self !== undefined && { self })}
          />
        ))}
      </ol>
    </details>
  );
}

type DiffsProps = {
  changes: readonly WebhookChange[];
  /** The entry is about several types, so each block names its own. */
  named: boolean;
};

/** One block for each type that differs. */
function Diffs({ changes, named }: DiffsProps) {
  const different = changes.filter(({ before, after }) => {
    const [was, is] = [shownVersionInHistory(before), shownVersionInHistory(after)];
    return was?.url !== is?.url || !sameShownVersion(was, is);
  });
  if (different.length === 0) return null;
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      {different.map((change) => (
        <ChangeDiff key={change.type} change={change} named={named} brief />
      ))}
    </div>
  );
}

type RestoreProps = {
  changes: readonly WebhookChange[];
  /** The entry's position. */
  seq: number;
  at: string;
  /** The id of the entry's text. */
  about: string;
};

/** Leads to the sheet that restores the address from before the entry; the sheet asks for confirmation. */
function Restore({ changes, seq, at, about }: RestoreProps) {
  const t = useTranslations("webhooks");
  const sheets = restoringSheets(addressesBefore(changes), `entry.${seq}`);
  if (sheets.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {sheets.map((sheet) => (
        <ButtonLink
          key={sheet.type}
          href={at + searchWithSheet(new URLSearchParams(), sheet)}
          size="sm"
          icon={<Undo2 aria-hidden />}
          prefetch={false}
          aria-describedby={about}
        >
          {sheets.length > 1
            ? t("card.restoreType", { type: t(`types.${sheet.type}`) })
            : t("card.restore")}
        </ButtonLink>
      ))}
    </div>
  );
}

const tones: Record<Tone, string> = {
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  neutral: "bg-sunken text-ink-2",
};

function EntryIcon({ description: { tone, icon: Icon } }: { description: Description }) {
  return (
    <span
      className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full ${tones[tone]}`}
    >
      <Icon aria-hidden className="size-3.5" />
    </span>
  );
}

type EntryByProps = {
  item: HistoryItem;
  /** The viewer of their own entries: "you" goes without saying. */
  self?: string | undefined;
  onItsDay: boolean;
};

/** When, who, and from where. */
function EntryBy({ item, self, onItsDay }: EntryByProps) {
  const t = useTranslations("timeline.by");
  const isOwn = self !== undefined && item.actor?.id === self;
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2 text-small text-ink-3 sm:flex-col sm:items-end sm:text-right">
      <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
        {isOwn ? null : (
          <>
            <span className="text-ink-2">
              <Who item={item} />
            </span>{" "}
            ·{" "}
          </>
        )}
        {onItsDay ? <ClockTime at={item.at} /> : <AbsoluteTime at={item.at} />}
      </span>
      {item.clientAddress ? (
        <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
          {t("from", { address: item.clientAddress })}
        </span>
      ) : null}
    </div>
  );
}

function Who({ item: { actor, kind, outcome } }: { item: HistoryItem }) {
  const nameOf = usePersonName();
  const t = useTranslations("timeline.by");
  // The account is known; whether its person did it is not.
  if (kind === "sign_in_refused")
    return actor ? t("atAccount", { name: nameOf(actor.name) }) : t("nobodyKnown");
  if (actor) return nameOf(actor.name);
  // Anybody can ask for one on the sign-in page.
  if (kind === "password_link_made" && outcome === "asked") return t("nobodyKnown");
  if (kind === "changed_outside") return <span title={t("outsideHint")}>{t("outside")}</span>;
  return atTheTerminal.has(kind) ? t("terminal") : t("gancho");
}

const atTheTerminal: ReadonlySet<string> = new Set([
  "one_time_codes_reset",
  "account_unlinked",
  "password_link_made",
  "staff_added",
  "four_eyes_changed",
]);

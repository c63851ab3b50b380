import { Badge, badgeTones } from "@/components/ui/badge";
import { Sentences } from "@/components/ui/sentences";
import { cn } from "@/components/ui/cn";
import { Disclosure } from "@/components/ui/disclosure";
import { MenuLink, RowMenu } from "@/components/ui/menu";
import { usePersonName } from "@/components/ui/person-name";
import { AbsoluteTime, ClockTime } from "@/components/ui/time";
import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import type { HistoryKind } from "@/lib/history/model/entry";
import type { CheckedItem } from "@/lib/history/model/item";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { differs } from "@/lib/webhooks/model/compare";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import { searchWithSheet } from "@/lib/webhooks/model/sheet-address";
import { ShieldAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { describeEntry } from "./entry-words";

type TimelineEntryProps = {
  item: CheckedItem;
  /** The viewer's id on a list of their own entries, which leaves out their name. */
  self?: string | undefined;
  /** The path of the Webhooks page, if the viewer may restore an address there. */
  restoresAt?: string | undefined;
  /** Earlier entries that differ only in their time. */
  others?: readonly CheckedItem[];
  /** The next entry belongs to the same change. */
  goesOn?: boolean;
  /** The entry is listed under its day, so it shows only the time of day. */
  onItsDay?: boolean;
};

/** An entry of any kind: what happened, what changed, why, and who, when and from where. */
export function TimelineEntry(props: TimelineEntryProps) {
  const { item, self, restoresAt, others = [], goesOn = false, onItsDay = false } = props;
  const t = useTranslations("history");
  const description = describeEntry(item, useTranslations());
  const { tone, icon: Icon, sentence, notes, changes = [], requested = [] } = description;
  const isOwn = self !== undefined && item.actor?.id === self;
  const hasMenu = restoresAt !== undefined;
  return (
    <li
      className={cn(
        "grid gap-x-3 gap-y-0.5 py-2.5 sm:gap-x-4",
        // A line from icon to icon in place of the one between entries.
        goesOn &&
          "relative border-b-0 before:absolute before:top-9.5 before:-bottom-2 before:left-3 before:w-px before:bg-line-strong",
        hasMenu
          ? "grid-cols-[auto_minmax(0,1fr)_1.75rem] sm:grid-cols-[auto_minmax(0,1fr)_11rem_1.75rem] lg:grid-cols-[auto_minmax(0,1fr)_16rem_1.75rem]"
          : "grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_11rem] lg:grid-cols-[auto_minmax(0,1fr)_16rem]",
      )}
    >
      <span
        className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full ${badgeTones[tone].style}`}
      >
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="flex min-w-0 flex-col gap-1.5 pt-0.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 [overflow-wrap:anywhere]">
          <span>{sentence}</span>
          {item.intact ? null : (
            <Badge tone="bad" icon={<ShieldAlert aria-hidden />}>
              {t("altered")}
            </Badge>
          )}
        </p>
        <Diffs item={item} changes={changes} />
        {notes.map((note) => (
          <p key={note} className="max-w-prose text-small [overflow-wrap:anywhere] text-ink-2">
            {note}
          </p>
        ))}
        {requested.some(differs) ? (
          <Disclosure summary={t("asked")}>
            <Diffs item={item} changes={requested} />
          </Disclosure>
        ) : null}
        {(tone === "bad" || requested.length > 0) && item.requestId ? (
          <Disclosure summary={t("request")}>
            <span translate="no" className="font-mono text-small">
              {item.requestId}
            </span>
          </Disclosure>
        ) : null}
        <Repeats items={others} self={self} />
      </div>
      <div className="max-sm:col-start-2 max-sm:row-start-2 sm:pt-0.5">
        <div className="flex min-w-0 flex-wrap gap-x-2 text-small text-ink-3 sm:flex-col sm:items-end sm:text-right">
          <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
            {isOwn ? null : (
              <>
                <span className="text-ink-2">
                  <Actor {...item} />
                </span>
                <span> · </span>
              </>
            )}
            {onItsDay ? <ClockTime at={item.at} /> : <AbsoluteTime at={item.at} />}
          </span>
          {item.clientAddress ? (
            <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
              {t("by.from", { address: item.clientAddress })}
            </span>
          ) : null}
        </div>
      </div>
      {hasMenu ? (
        <div className="-my-1 max-sm:col-start-3 max-sm:row-start-1 print:hidden">
          {item.intact ? <EntryMenu item={item} changes={changes} at={restoresAt} /> : null}
        </div>
      ) : null}
    </li>
  );
}

type DiffsProps = { item: CheckedItem; changes: readonly WebhookChange[] };

/** One diff for each type that changed, headed with the type if the entry covers several. */
function Diffs({ item, changes }: DiffsProps) {
  const differing = changes.filter(differs);
  if (differing.length === 0) return null;
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      {differing.map((change) => (
        <ChangeDiff key={change.type} change={change} named={item.types.length > 1} />
      ))}
    </div>
  );
}

/** The older entries of a run, under the newest. */
function Repeats({ items, self }: { items: readonly CheckedItem[]; self: string | undefined }) {
  const t = useTranslations("timeline.run");
  const oldest = items.at(-1);
  if (!oldest) return null;
  return (
    <Disclosure
      summary={
        <Sentences
          of={[t.rich("more", { count: items.length, time: () => <ClockTime at={oldest.at} /> })]}
        />
      }
    >
      <ol aria-label={t("list")} className="divide-y divide-line">
        {items.map((item) => (
          <TimelineEntry key={item.seq} item={item} onItsDay self={self} />
        ))}
      </ol>
    </Disclosure>
  );
}

function Actor({ actor, kind, outcome, detail }: CheckedItem) {
  const nameOf = usePersonName();
  const t = useTranslations("history.by");
  function words() {
    // The account is known; whether its owner tried to sign in is not.
    if (kind === "sign_in_refused")
      return actor ? t("atAccount", { name: nameOf(actor.name) }) : t("nobodyKnown");
    if (actor) return nameOf(actor.name);
    // Whoever reads the mailbox.
    if (kind === "alert_address_confirmed") return t("nobodyKnown");
    // Anybody can ask for a password link on the sign-in page.
    if (kind === "password_link_made" && outcome === "asked") return t("nobodyKnown");
    // Of the provider's claim, which no command applies.
    if (typeof detail === "object" && detail !== null && "claimed" in detail) return t("dashboard");
    return t(recordedByCommands.has(kind) ? "terminal" : "dashboard");
  }
  return <span>{words()}</span>;
}

/**
 * Commands record these without an actor. `erase-person` and `after-restore` also remove members and invitations;
 * `import-partners` makes what people make, too.
 */
const recordedByCommands: ReadonlySet<string> = new Set<HistoryKind>([
  "one_time_codes_reset",
  "passkeys_reset",
  "account_unlinked",
  "password_link_made",
  "staff_added",
  "four_eyes_changed",
  "person_erased",
  "member_removed",
  "invitation_revoked",
  "entries_removed",
  "history_restored",
  "installation_restored",
  "partner_created",
  "partner_renamed",
  "partner_suspended",
  "partner_resumed",
  "connection_changed",
  "member_invited",
]);

/** Links to the sheet that restores the address from before the entry; the sheet asks before it saves. */
function EntryMenu({ item, changes, at }: DiffsProps & { at: string }) {
  const t = useTranslations();
  const sheets = restoringSheets(addressesBefore(item.kind, changes), `entry.${item.seq}`);
  if (sheets.length === 0) return null;
  return (
    <RowMenu label={t("history.menu")}>
      {sheets.map((sheet) => (
        <MenuLink key={sheet.type} href={at + searchWithSheet(new URLSearchParams(), sheet)}>
          {sheets.length > 1
            ? t("webhooks.card.restoreType", { type: t(`webhooks.types.${sheet.type}`) })
            : t("webhooks.card.restore")}
        </MenuLink>
      ))}
    </RowMenu>
  );
}

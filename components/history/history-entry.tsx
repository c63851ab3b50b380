import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { Disclosure } from "@/components/ui/disclosure";
import { usePersonName } from "@/components/ui/person-name";
import { AbsoluteTime, ClockTime } from "@/components/ui/time";
import { Check, ShieldAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Tone } from "@/lib/history/model/kind";
import type { Description, ShownEntry } from "./description";

type HistoryEntryProps = {
  entry: ShownEntry;
  description: Description;
  /** It is not what was recorded. */
  altered?: boolean;
  /** The viewer of their own entries. */
  self?: string | undefined;
  /** It stands under its day. */
  onItsDay?: boolean;
  /** What changed, and what can be done about it. */
  children?: ReactNode;
  /** What was to change (`Requested`). */
  requested?: ReactNode;
  /** Stands last. */
  more?: ReactNode;
  /** What can be done about it; left out where the list has no such column. */
  menu?: ReactNode;
};

/** What happened, what changed, why, and who, when and from where. */
export function HistoryEntry({
  entry,
  description,
  altered = false,
  self,
  onItsDay = false,
  children,
  requested,
  more,
  menu,
}: HistoryEntryProps) {
  const t = useTranslations("history");
  const { tone, sentence, readBack, notes } = description;
  const failed = tone === "bad" || description.requested !== undefined;
  return (
    <li
      className={cn(
        "grid gap-x-3 gap-y-0.5 py-2.5 sm:gap-x-4",
        menu === undefined
          ? "grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_11rem] lg:grid-cols-[auto_minmax(0,1fr)_16rem]"
          : "grid-cols-[auto_minmax(0,1fr)_1.75rem] sm:grid-cols-[auto_minmax(0,1fr)_11rem_1.75rem] lg:grid-cols-[auto_minmax(0,1fr)_16rem_1.75rem]",
      )}
    >
      <EntryIcon description={description} />
      <div className="flex min-w-0 flex-col gap-1.5 pt-0.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 [overflow-wrap:anywhere]">
          {sentence}
          {readBack ? (
            <Badge tone="neutral" icon={<Check aria-hidden />}>
              {t("readBack")}
            </Badge>
          ) : null}
          {altered ? (
            <Badge tone="bad" icon={<ShieldAlert aria-hidden />}>
              {t("altered")}
            </Badge>
          ) : null}
        </p>
        {children}
        {notes?.map((note) => (
          <p key={note} className="max-w-prose text-small [overflow-wrap:anywhere] text-ink-2">
            {note}
          </p>
        ))}
        {requested}
        {failed && entry.requestId ? (
          <Disclosure summary={t("request")}>
            <span className="font-mono text-small">{entry.requestId}</span>
          </Disclosure>
        ) : null}
        {more}
      </div>
      <div className="max-sm:col-start-2 max-sm:row-start-2 sm:pt-0.5">
        <EntryBy entry={entry} description={description} self={self} onItsDay={onItsDay} />
      </div>
      {menu === undefined ? null : (
        <div className="-my-1 max-sm:col-start-3 max-sm:row-start-1 print:hidden">{menu}</div>
      )}
    </li>
  );
}

/** What was to change, and did not or not yet. */
export function Requested({ children }: { children: ReactNode }) {
  const t = useTranslations("history");
  return <Disclosure summary={t("asked")}>{children}</Disclosure>;
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
  entry: ShownEntry;
  description: Description;
  /** The viewer of their own entries: "you" goes without saying. */
  self?: string | undefined;
  onItsDay: boolean;
};

/** When, who, and from where. */
function EntryBy({ entry, description, self, onItsDay }: EntryByProps) {
  const t = useTranslations("history.by");
  const isOwn = self !== undefined && entry.actor?.id === self;
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2 text-small text-ink-3 sm:flex-col sm:items-end sm:text-right">
      <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
        {isOwn ? null : (
          <>
            <span className="text-ink-2">
              {description.byNobodyKnown ? t("nobodyKnown") : <Who entry={entry} />}
            </span>{" "}
            ·{" "}
          </>
        )}
        {onItsDay ? <ClockTime at={entry.at} /> : <AbsoluteTime at={entry.at} />}
      </span>
      {entry.clientAddress ? (
        <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
          {t("from", { address: entry.clientAddress })}
        </span>
      ) : null}
    </div>
  );
}

function Who({ entry: { actor, kind, outcome } }: { entry: ShownEntry }) {
  const nameOf = usePersonName();
  const t = useTranslations("history.by");
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
  "history_restored",
  "installation_restored",
]);

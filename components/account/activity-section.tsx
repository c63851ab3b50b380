import { Disclosure } from "@/components/ui/disclosure";
import { TimelineEntry } from "@/components/history/timeline-entry";
import type { CheckedItem } from "@/lib/history/model/item";
import { useTranslations } from "next-intl";
import { Section } from "@/components/ui/section";

type ActivitySectionProps = {
  activity: readonly CheckedItem[];
  /** The person's id: entries leave out their own name. */
  self: string;
  /** Whether the person has a password in Gancho, or signs in elsewhere. */
  password: "here" | "elsewhere";
};

/** The number of entries shown before the rest collapses. */
const shownFirst = 6;

/** Recent activity of the account, so that its owner notices what they did not do. */
export function ActivitySection({ activity, self, password }: ActivitySectionProps) {
  const t = useTranslations("account.activity");
  const older = activity.slice(shownFirst);
  const list = (label: string, items: ActivitySectionProps["activity"]) => (
    <ol
      aria-label={label}
      className="flex flex-col divide-y divide-line rounded-card border border-line px-4"
    >
      {items.map((item) => (
        <TimelineEntry key={item.seq} item={item} self={self} />
      ))}
    </ol>
  );
  return (
    <Section anchor="activity" title={t("title")} text={t("text", { password })}>
      {activity.length === 0 ? (
        <p className="text-ink-2">{t("empty")}</p>
      ) : (
        list(t("title"), activity.slice(0, shownFirst))
      )}
      {older.length > 0 ? (
        <Disclosure summary={t("older", { count: older.length })}>
          {list(t("olderList"), older)}
        </Disclosure>
      ) : null}
    </Section>
  );
}

import { TimelineEntry } from "@/components/history/timeline-entry";
import type { CheckedItem } from "@/lib/history/model/item";
import { useTranslations } from "next-intl";
import { AccountSection } from "./account-section";

type ActivitySectionProps = {
  activity: readonly CheckedItem[];
  /** The person's id. */
  self: string;
  /** Where the person's password is changed. */
  password: "here" | "elsewhere";
};

/** So many entries show at once; the others are a click away. */
const shownFirst = 6;

/** Recent activity of the account, so that its person notices what they did not do. */
export function ActivitySection({ activity, self, password }: ActivitySectionProps) {
  const t = useTranslations("account.activity");
  const older = activity.slice(shownFirst);
  return (
    <AccountSection title={t("title")} text={t("text", { password })}>
      {activity.length === 0 ? (
        <p className="text-ink-2">{t("empty")}</p>
      ) : (
        <Entries label={t("title")} activity={activity.slice(0, shownFirst)} self={self} />
      )}
      {older.length > 0 ? (
        <details>
          <summary className="w-fit rounded-control font-medium text-brand">
            {t("older", { count: older.length })}
          </summary>
          <div className="mt-4">
            <Entries label={t("olderList")} activity={older} self={self} />
          </div>
        </details>
      ) : null}
    </AccountSection>
  );
}

type EntriesProps = Omit<ActivitySectionProps, "password"> & { label: string };

function Entries({ label, activity, self }: EntriesProps) {
  return (
    <ol
      aria-label={label}
      className="flex flex-col divide-y divide-line rounded-card border border-line px-4"
    >
      {activity.map((item) => (
        <TimelineEntry key={item.seq} item={item} self={self} />
      ))}
    </ol>
  );
}

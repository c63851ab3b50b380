"use client";

import { Chip } from "@/components/ui/chip";
import { useTranslations } from "next-intl";

/** Null or empty: the service did not say. Nothing is invented in its place. */
export function EventChips({ events }: { events: readonly string[] | null }) {
  const t = useTranslations("webhooks.card");
  if (!events?.length) return <p className="text-ink-3">{t("eventsUnknown")}</p>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {events.map((event, index) => (
        <li key={`${event}-${index}`} className="min-w-0">
          <Chip>{event}</Chip>
        </li>
      ))}
    </ul>
  );
}

"use client";

import { cn } from "@/components/ui/cn";
import { Plug, Users, Webhook, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useId } from "react";
import { placePath, type Place } from "./place";
import type { Section } from "./sections";

type Entry = { section: Section; icon: LucideIcon };

/** In the order in which they are shown. */
const main: readonly Entry[] = [{ section: "webhooks", icon: Webhook }];
const settings: readonly Entry[] = [
  { section: "connection", icon: Plug },
  { section: "team", icon: Users },
];

/** The pages of the place that the person's role reaches. */
export function Nav({ place, className }: { place: Place; className?: string }) {
  const t = useTranslations("shell");
  const settingsId = useId();
  const reached = ({ section }: Entry) => place.membership.sections.includes(section);
  const hasSettings = settings.some(reached);
  return (
    <nav aria-label={t("navigation")} className={cn("flex flex-col gap-4", className)}>
      <Entries place={place} entries={main.filter(reached)} />
      {hasSettings ? (
        <div>
          <p id={settingsId} className="px-2.5 pb-1 text-xs font-medium text-ink-3">
            {t("settings")}
          </p>
          <Entries place={place} entries={settings.filter(reached)} labelledBy={settingsId} />
        </div>
      ) : null}
    </nav>
  );
}

type EntriesProps = { place: Place; entries: readonly Entry[]; labelledBy?: string };

function Entries({ place, entries, labelledBy }: EntriesProps) {
  const t = useTranslations("shell.nav");
  return (
    <ul aria-labelledby={labelledBy} className="flex flex-col gap-0.5">
      {entries.map(({ section, icon: Icon }) => {
        const current = place.section === section;
        return (
          <li key={section}>
            <Link
              href={placePath(place.membership.partnerId, place.environment, section)}
              aria-current={current ? "page" : undefined}
              className={cn(
                "flex min-h-9 items-center gap-2.5 rounded-control px-2.5 transition-colors",
                current
                  ? "bg-hover font-medium text-ink"
                  : "text-ink-2 hover:bg-hover hover:text-ink",
              )}
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {t(section)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

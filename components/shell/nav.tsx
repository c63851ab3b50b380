"use client";

import { cn } from "@/components/ui/cn";
import { Webhook, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { placePath, type Place } from "./place";

/** The sections of a partner's environment that exist. `section` is the last part of the address. */
const entries: readonly { section: "webhooks"; icon: LucideIcon }[] = [
  { section: "webhooks", icon: Webhook },
];

export function Nav({ place, className }: { place: Place; className?: string }) {
  const t = useTranslations("shell");
  return (
    <nav aria-label={t("navigation")} className={className}>
      <ul className="flex flex-col gap-0.5">
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
                {t(`nav.${section}`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

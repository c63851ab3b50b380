"use client";

import { cn } from "@/components/ui/cn";
import { CodeXml, History, Plug, Stamp, Users, Webhook, type LucideIcon } from "lucide-react";
import { waitingQuery } from "@/lib/approvals/client/ended-query";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { NavLink } from "./nav-link";
import { sectionPath, type CurrentEnvironment } from "./current-environment";
import type { Section } from "./sections";

type Entry = { section: Section; icon: LucideIcon };

/** In the order in which they are shown. */
const main: readonly Entry[] = [
  { section: "webhooks", icon: Webhook },
  { section: "approvals", icon: Stamp },
  { section: "history", icon: History },
  { section: "receiver-kit", icon: CodeXml },
];
const settings: readonly Entry[] = [
  { section: "connection", icon: Plug },
  { section: "team", icon: Users },
];

/** The environment's pages that the person's role reaches. */
export function Nav({ current, className }: { current: CurrentEnvironment; className?: string }) {
  const t = useTranslations("shell");
  const settingsId = useId();
  const reached = ({ section }: Entry) => current.membership.sections.includes(section);
  const hasSettings = settings.some(reached);
  return (
    <nav aria-label={t("navigation")} className={cn("flex flex-col gap-4", className)}>
      <Entries current={current} entries={main.filter(reached)} />
      {hasSettings ? (
        <div>
          <p id={settingsId} className="px-2.5 pb-1 text-xs font-medium text-ink-3">
            {t("settings")}
          </p>
          <Entries current={current} entries={settings.filter(reached)} labelledBy={settingsId} />
        </div>
      ) : null}
    </nav>
  );
}

type EntriesProps = { current: CurrentEnvironment; entries: readonly Entry[]; labelledBy?: string };

function Entries({ current, entries, labelledBy }: EntriesProps) {
  const t = useTranslations("shell.nav");
  return (
    <ul aria-labelledby={labelledBy} className="flex flex-col gap-0.5">
      {entries.map(({ section, icon }) => (
        <li key={section}>
          <NavLink
            href={sectionPath(current.membership.partnerId, current.environment, section)}
            icon={icon}
            current={current.section === section}
          >
            {t(section)}
            {section === "approvals" ? <WaitingCount current={current} /> : null}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

/** How many wait; nothing where none does, or where that is not known. */
function WaitingCount({ current: { membership, environment } }: { current: CurrentEnvironment }) {
  const t = useTranslations("shell");
  const { data } = useQuery(waitingQuery({ partner: membership.partnerId, environment }));
  if (!data) return null;
  return (
    <span className="ml-auto inline-flex min-w-5 justify-center rounded-full bg-brand px-1.5 text-xs leading-5 font-semibold text-brand-ink">
      <span aria-hidden>{data}</span>
      <span className="sr-only">{t("waiting", { count: data })}</span>
    </span>
  );
}

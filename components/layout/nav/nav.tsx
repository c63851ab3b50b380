"use client";

import { cn } from "@/components/ui/cn";
import {
  CodeXml,
  History,
  Plug,
  Stamp,
  Users,
  Webhook,
  type LucideIcon,
  Building2,
  LayoutDashboard,
  ServerCog,
  ChevronsUpDown,
} from "lucide-react";
import { waitingQuery } from "@/lib/approvals/client/ended-query";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";
import { sectionPath, type CurrentEnvironment, sectionIn } from "./current-environment";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Section, ShellUser } from "@/components/layout/types";
import { Menu, MenuGroup, MenuLink } from "@/components/ui/menu";
import { EnvironmentBadge } from "./environment-badge";
import { useEnvironmentName } from "./environment-name";
import { InitialsTile } from "./initials-tile";

type Entry = { section: Section; icon: LucideIcon };

/** In screen order. */
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

/** The environment's pages that the person's role can open. */
export function Nav({ current, className }: { current: CurrentEnvironment; className?: string }) {
  const t = useTranslations("shell");
  const settingsId = useId();
  const { partnerId, sections } = current.membership;
  const linksOf = (entries: readonly Entry[]) =>
    entries
      .filter(({ section }) => sections.includes(section))
      .map(({ section, icon }) => ({
        href: sectionPath(partnerId, current.environment, section),
        icon,
        isCurrent: current.section === section,
        label: t(`nav.${section}`),
        more: section === "approvals" ? <WaitingCount current={current} /> : null,
      }));
  return (
    <nav aria-label={t("navigation")} className={cn("flex flex-col gap-4", className)}>
      <NavLinks links={linksOf(main)} />
      {linksOf(settings).length > 0 ? (
        <div>
          <p id={settingsId} className="px-2.5 pb-1 text-xs font-medium text-ink-3">
            {t("settings")}
          </p>
          <NavLinks links={linksOf(settings)} labelledBy={settingsId} />
        </div>
      ) : null}
    </nav>
  );
}

/** How many proposals wait; nothing if none does or the number is unknown. */
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

type NavLinksProps = {
  links: readonly {
    href: string;
    icon: LucideIcon;
    isCurrent: boolean;
    label: string;
    more?: ReactNode;
  }[];
  labelledBy?: string;
};

/**
 * Links without prefetching: every page is rendered for its reader, so it would cost ten requests a page and gain
 * nothing.
 */
function NavLinks({ links, labelledBy }: NavLinksProps) {
  return (
    <ul aria-labelledby={labelledBy} className="flex flex-col gap-0.5">
      {links.map(({ href, icon: Icon, isCurrent, label, more }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            aria-current={isCurrent ? "page" : undefined}
            className={cn(
              "flex min-h-9 items-center gap-2.5 rounded-control px-2.5 transition-colors",
              isCurrent
                ? "bg-hover font-medium text-ink"
                : "text-ink-2 hover:bg-hover hover:text-ink",
            )}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {label}
            {more}
          </Link>
        </li>
      ))}
    </ul>
  );
}

type GeneralEntry = {
  page: "overview" | "partners" | "installation";
  icon: LucideIcon;
  isFor: (user: ShellUser) => boolean;
};

/** The pages outside any one partner. */
const generalEntries: readonly GeneralEntry[] = [
  { page: "overview", icon: LayoutDashboard, isFor: ({ staffRole }) => staffRole !== null },
  {
    page: "partners",
    icon: Building2,
    isFor: ({ staffRole, memberships }) => staffRole !== null || memberships.length > 1,
  },
  { page: "installation", icon: ServerCog, isFor: ({ staffRole }) => staffRole === "operator" },
];

/** Pages below /installation count as it; pages below /partners belong to a partner. */
function isAt(pathname: string, page: GeneralEntry["page"]): boolean {
  return pathname === `/${page}` || (page === "installation" && pathname.startsWith(`/${page}/`));
}

/** Renders nothing for people who only have one partner. */
export function GeneralNav({ user, className }: { user: ShellUser; className?: string }) {
  const t = useTranslations("shell");
  const pathname = usePathname();
  const links = generalEntries
    .filter(({ isFor }) => isFor(user))
    .map(({ page, icon }) => ({
      href: `/${page}`,
      icon,
      isCurrent: isAt(pathname, page),
      label: t(`nav.${page}`),
    }));
  if (links.length === 0) return null;
  return (
    <nav aria-label={t("generalNavigation")} className={className}>
      <NavLinks links={links} />
    </nav>
  );
}

const block =
  "flex w-full min-w-0 items-center gap-2.5 rounded-control px-2 text-left lg:border lg:border-line lg:px-2.5 lg:py-2";

type EnvironmentSwitcherProps = { user: ShellUser; current: CurrentEnvironment };

/** The current partner and environment, as a menu if there is more than one to choose from. */
export function EnvironmentSwitcher({ user, current }: EnvironmentSwitcherProps) {
  const t = useTranslations("shell");
  const environmentName = useEnvironmentName();
  const environments = user.memberships.flatMap(({ environments }) => environments);

  if (environments.length < 2) {
    return (
      <div className={block}>
        <EnvironmentLabel current={current} />
      </div>
    );
  }

  return (
    <Menu
      label={t("switcher", {
        partner: current.membership.partnerName,
        environment: current.everywhere
          ? t("allEnvironments")
          : environmentName(current.environment),
      })}
      trigger={
        <>
          <EnvironmentLabel current={current} />
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-2" />
        </>
      }
      triggerClassName={`${block} min-h-9 hover:bg-hover`}
      menuClassName="top-full left-0 max-h-[70dvh] w-64 max-w-[calc(100vw-2rem)] overflow-y-auto lg:w-full"
      className="min-w-0"
    >
      {user.memberships.map((membership) => (
        <MenuGroup key={membership.partnerId} label={membership.partnerName}>
          {membership.environments.map((environment) => (
            <MenuLink
              key={environment}
              href={sectionPath(membership.partnerId, environment, sectionIn(membership, current))}
              current={
                !current.everywhere &&
                membership.partnerId === current.membership.partnerId &&
                environment === current.environment
              }
            >
              <EnvironmentBadge environment={environment} />
            </MenuLink>
          ))}
        </MenuGroup>
      ))}
    </Menu>
  );
}

function EnvironmentLabel({ current }: { current: CurrentEnvironment }) {
  const { partnerName } = current.membership;
  return (
    <>
      <InitialsTile name={partnerName} kind="partner" className="max-lg:hidden" />
      <span className="flex min-w-0 flex-1 items-center gap-2 lg:flex-col lg:items-start lg:gap-0.5">
        <span title={partnerName} className="max-w-full truncate font-medium">
          {partnerName}
        </span>
        <EnvironmentBadge environment={current.everywhere ? null : current.environment} />
      </span>
    </>
  );
}

"use client";

import { cn } from "@/components/ui/cn";
import type { Elements } from "@/components/ui/sentences";
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
import { AttentionMark } from "@/components/attention/attention-mark";
import { useAttention } from "@/components/attention/use-attention";
import { attentionQuery } from "@/lib/attention/client/query";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { sectionPath, type CurrentEnvironment, sectionIn } from "./current-environment";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Section, ShellUser } from "@/components/layout/types";
import { Menu, MenuLink } from "@/components/ui/menu";
import { EnvironmentBadge, EnvironmentIcon } from "./environment-badge";
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

/** How many proposals wait for this person, in all environments; nothing if none does or the number is unknown. */
function WaitingCount({ current: { membership } }: { current: CurrentEnvironment }) {
  const t = useTranslations("shell");
  const count = useQuery(attentionQuery(membership.partnerId)).data?.approvals;
  if (!count) return null;
  return (
    <span className="ml-auto inline-flex min-w-5 justify-center rounded-full bg-brand px-1.5 text-xs leading-5 font-semibold text-brand-ink">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t("waiting", { count })}</span>
    </span>
  );
}

type NavLinksProps = {
  links: readonly {
    href: string;
    icon: LucideIcon;
    isCurrent: boolean;
    label: string;
    more?: Elements;
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
            <span>{label}</span>
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

type EnvironmentSwitcherProps = {
  user: ShellUser;
  current: CurrentEnvironment;
  className?: string;
};

/** The current partner, with a menu where there are others, and its environments, each with whether all is well. */
export function EnvironmentSwitcher({ user, current, className }: EnvironmentSwitcherProps) {
  const t = useTranslations("shell");
  const { partnerId, partnerName, environments } = current.membership;
  const shared = "flex w-full min-w-0 min-h-9 items-center gap-2.5 rounded-control px-2 text-left";
  const name = (
    <>
      <InitialsTile name={partnerName} kind="partner" />
      <span title={partnerName} className="min-w-0 flex-1 truncate font-medium">
        {partnerName}
      </span>
    </>
  );
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      {user.memberships.length < 2 ? (
        <div className={shared}>{name}</div>
      ) : (
        <Menu
          label={t("partnerSwitcher", { partner: partnerName })}
          trigger={
            <>
              {name}
              <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-2" />
            </>
          }
          triggerClassName={cn(shared, "hover:bg-hover")}
          menuClassName="top-full left-0 max-h-[70dvh] w-full overflow-y-auto"
          className="min-w-0"
        >
          {user.memberships.map((membership) => (
            <MenuLink
              key={membership.partnerId}
              href={sectionPath(
                membership.partnerId,
                membership.environments.find((each) => each === current.environment) ??
                  membership.environments[0] ??
                  "",
                sectionIn(membership, current),
              )}
              current={membership.partnerId === partnerId}
            >
              {membership.partnerName}
            </MenuLink>
          ))}
        </Menu>
      )}
      <nav aria-label={t("environments")}>
        <ul className="flex flex-col gap-1.5">
          {environments.map((environment) => (
            <EnvironmentLink key={environment} environment={environment} current={current} />
          ))}
        </ul>
      </nav>
    </div>
  );
}

type EnvironmentLinkProps = { environment: string; current: CurrentEnvironment };

function EnvironmentLink({ environment, current }: EnvironmentLinkProps) {
  const nameOf = useEnvironmentName();
  const { membership, everywhere } = current;
  const isCurrent = !everywhere && environment === current.environment;
  return (
    <li>
      <Link
        href={sectionPath(membership.partnerId, environment, sectionIn(membership, current))}
        prefetch={false}
        aria-current={isCurrent ? "true" : undefined}
        className={cn(
          "flex min-h-9 items-center justify-between gap-2 rounded-control border px-2.5 transition-colors",
          isCurrent ? "border-line-strong bg-hover font-medium" : "border-line hover:bg-hover",
        )}
      >
        <span className="flex min-w-0 items-center gap-2">
          <EnvironmentIcon environment={environment} />
          <span className="truncate">{nameOf(environment)}</span>
        </span>
        <AttentionMark items={useAttention(membership.partnerId, environment)} />
      </Link>
    </li>
  );
}

/** Where a person is, on a phone: the rest is in the menu. */
export function CurrentPlace({ current }: { current: CurrentEnvironment }) {
  const { membership, environment, everywhere } = current;
  const items = useAttention(membership.partnerId, environment);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
      <span title={membership.partnerName} className="min-w-0 truncate font-medium">
        {membership.partnerName}
      </span>
      <EnvironmentBadge environment={everywhere ? null : environment} />
      {everywhere ? null : <AttentionMark items={items} className="ml-auto" />}
    </div>
  );
}

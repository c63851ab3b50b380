"use client";

import { Building2, LayoutDashboard, ServerCog, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { NavLink } from "./nav-link";
import type { ShellUser } from "@/components/layout/types";

type Entry = {
  page: "overview" | "partners" | "installation";
  icon: LucideIcon;
  isFor: (user: ShellUser) => boolean;
};

/** The pages that belong to no one partner. */
const entries: readonly Entry[] = [
  { page: "overview", icon: LayoutDashboard, isFor: ({ staffRole }) => staffRole !== null },
  {
    page: "partners",
    icon: Building2,
    isFor: ({ staffRole, memberships }) => staffRole !== null || memberships.length > 1,
  },
  { page: "installation", icon: ServerCog, isFor: ({ staffRole }) => staffRole === "operator" },
];

/** A page below the installation's belongs to it; one below the partners' is a partner's own. */
function isAt(pathname: string, page: Entry["page"]): boolean {
  return pathname === `/${page}` || (page === "installation" && pathname.startsWith(`/${page}/`));
}

/** Nothing for those who have one partner and all they do in it. */
export function GeneralNav({ user, className }: { user: ShellUser; className?: string }) {
  const t = useTranslations("shell");
  const pathname = usePathname();
  const shown = entries.filter(({ isFor }) => isFor(user));
  if (shown.length === 0) return null;
  return (
    <nav aria-label={t("generalNavigation")} className={className}>
      <ul className="flex flex-col gap-0.5">
        {shown.map(({ page, icon }) => (
          <li key={page}>
            <NavLink href={`/${page}`} icon={icon} current={isAt(pathname, page)}>
              {t(`nav.${page}`)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

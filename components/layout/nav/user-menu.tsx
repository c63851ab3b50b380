"use client";

import { Menu, MenuItem, MenuLink } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import { Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { InitialsTile } from "./initials-tile";
import type { CurrentEnvironment } from "./current-environment";
import type { ShellUser } from "@/components/layout/types";

type UserMenuProps = { user: ShellUser; current: CurrentEnvironment | null; className?: string };

/** The signed-in person, and their account and sign-out. */
export function UserMenu({ user, current, className }: UserMenuProps) {
  const t = useTranslations("shell");
  const roles = useTranslations("common.roles");
  const [failed, setFailed] = useState(false);
  const role = current?.membership.role ?? user.staffRole;

  async function leave() {
    setFailed(false);
    // Its code loads on use: where it cannot load, signing out would fail as well.
    const signedOut = await import("@/lib/platform/auth/client/auth-client").then(
      ({ signOut }) => signOut(),
      () => false,
    );
    // A whole new page: nothing of the session stays in this one's memory.
    if (signedOut) location.assign("/sign-in");
    else setFailed(true);
  }

  return (
    <div className={className}>
      {failed ? (
        <Notice tone="bad" role="alert" className="mb-2">
          {t("signOutFailed")}
        </Notice>
      ) : null}
      <Menu
        label={t("account", { name: user.name })}
        menuClassName="bottom-full left-0 w-full"
        triggerClassName="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-hover"
        trigger={
          <>
            <InitialsTile name={user.name} kind="person" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{user.name}</span>
              <span className="block truncate text-small text-ink-3">
                {role ? roles(role) : user.email}
              </span>
            </span>
            <Ellipsis aria-hidden className="size-4 shrink-0 text-ink-2" />
          </>
        }
      >
        <MenuLink href="/account">{t("yourAccount")}</MenuLink>
        <MenuItem onSelect={() => void leave()}>{t("signOut")}</MenuItem>
      </Menu>
    </div>
  );
}

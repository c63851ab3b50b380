"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Elements } from "@/components/ui/sentences";
import Link from "next/link";
import { useEffect, type ReactNode, useState, useRef } from "react";
import { flushSync } from "react-dom";
import { CurrentPlace, EnvironmentSwitcher, GeneralNav, Nav } from "@/components/layout/nav/nav";
import { BrandLinks, BrandSign, useBrand } from "./brand";
import { EnvironmentBadge, TestStripe } from "@/components/layout/nav/environment-badge";
import {
  useCurrentEnvironment,
  type CurrentEnvironment,
} from "@/components/layout/nav/current-environment";
import { RememberTimeZone } from "@/components/layout/preferences/remember-time-zone";
import { rememberPreference } from "@/components/layout/preferences/preference-cookie";
import { placeName } from "@/lib/attention/model/tone";
import type { ShellUser } from "./types";
import { useSignOut } from "./use-sign-out";
import { WifiOff, Ellipsis, Menu as MenuIcon, X } from "lucide-react";
import { useOffline } from "next/offline";
import { drawnFor } from "@/lib/platform/http/client/fetch-json";
import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import { Menu, MenuItem, MenuLink } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { IconButton } from "@/components/ui/icon-button";

/** The frame of every console page: a sidebar on wide screens, a top bar on narrow ones. */
export function ConsoleFrame({ user, children }: { user: ShellUser; children: ReactNode }) {
  const t = useTranslations();
  const { name } = useBrand();
  const current = useCurrentEnvironment(user);
  useEffect(() => drawnFor(user.id), [user.id]);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-brand px-4 py-2 font-medium text-brand-ink focus:translate-y-0"
      >
        {t("shell.skipToContent")}
      </a>
      <RememberTimeZone />
      <RememberPlace current={current} />
      {current && !current.everywhere ? <TestStripe environment={current.environment} /> : null}
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-surface pr-17 pl-4 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-4 lg:overflow-y-auto lg:border-r lg:border-b-0 lg:p-3 print:hidden">
          <Link
            href="/"
            prefetch={false}
            className="flex shrink-0 items-center gap-2.5 rounded-control lg:px-2 lg:pt-2"
          >
            <BrandSign compact />
          </Link>
          <GeneralNav user={user} className="max-lg:hidden" />
          {current ? (
            <>
              <div className="flex min-w-0 flex-1 lg:hidden">
                <CurrentPlace current={current} />
              </div>
              <EnvironmentSwitcher user={user} current={current} className="max-lg:hidden" />
              <Nav current={current} className="max-lg:hidden" />
            </>
          ) : null}
          <BrandLinks className="mt-auto px-2.5 max-lg:hidden" />
          <UserMenu
            user={user}
            current={current}
            className="border-t border-line pt-2 not-[ul+*]:mt-auto max-lg:hidden"
          />
          <MobileMenu className="absolute right-4 lg:hidden">
            <GeneralNav user={user} />
            {current ? (
              <>
                <EnvironmentSwitcher user={user} current={current} />
                <Nav current={current} />
              </>
            ) : null}
            <BrandLinks className="mt-auto px-2.5" />
            <UserMenu
              user={user}
              current={current}
              className="border-t border-line pt-2 not-[ul+*]:mt-auto"
            />
          </MobileMenu>
        </header>
        <div className="min-w-0">
          <OfflineBanner />
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-378 px-4 py-6 lg:px-9 lg:py-7"
          >
            <p className="mb-3 hidden items-center gap-2 print:flex">
              <span translate="no">{name}</span>
              {current && current.section !== "" ? (
                <>
                  <span> · </span>
                  <span>{current.membership.partnerName}</span>
                  <EnvironmentBadge environment={current.everywhere ? null : current.environment} />
                </>
              ) : null}
              <Printed by={user.name} />
            </p>
            <div className="contents">{children}</div>
          </main>
        </div>
      </div>
    </>
  );
}

/** Who prints the page, and when: paper does not say. */
function Printed({ by }: { by: string }) {
  const t = useTranslations("shell");
  const format = useFormatter();
  const [at, setAt] = useState<Date | null>(null);
  useEffect(() => {
    // Before the browser takes the page.
    const mark = () => flushSync(() => setAt(new Date()));
    window.addEventListener("beforeprint", mark);
    return () => window.removeEventListener("beforeprint", mark);
  }, []);
  if (!at) return null;
  const time = format.dateTime(at, {
    dateStyle: "medium",
    timeStyle: "long",
  });
  return <span>{`· ${t("printed", { name: by, time })}`}</span>;
}

/** Stores the environment in a cookie, so that the person begins there the next time. */
function RememberPlace({ current }: { current: CurrentEnvironment | null }) {
  const place =
    current && !current.everywhere && current.section !== ""
      ? placeName({ partner: current.membership.partnerId, environment: current.environment })
      : null;
  useEffect(() => {
    if (place !== null) rememberPreference("gancho-environment", place);
  }, [place]);
  return null;
}

/** Says that the network is down, or that a navigation is waiting because Gancho cannot be reached. */
function OfflineBanner() {
  const t = useTranslations("shell.offline");
  const noNetwork = useNoNetwork();
  const waiting = useOffline();
  if (!noNetwork && !waiting) return null;
  return (
    <div
      role="alert"
      className="sticky top-14 z-10 flex items-start gap-2.5 border-b border-warn-line bg-warn-soft px-4 py-2.5 lg:top-0 lg:px-9"
    >
      <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <p>
        <strong className="font-semibold text-warn">
          {noNetwork ? t("title") : t("unreachableTitle")}
        </strong>{" "}
        <span>{noNetwork ? t("text") : t("unreachableText")}</span>
      </p>
    </div>
  );
}

type UserMenuProps = { user: ShellUser; current: CurrentEnvironment | null; className?: string };

/** The signed-in person's name, with links to their account and to sign out. */
function UserMenu({ user, current, className }: UserMenuProps) {
  const t = useTranslations("shell");
  const roles = useTranslations("common.roles");
  const { failed, leave } = useSignOut();
  const role = current?.membership.role ?? user.staffRole;

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

type MobileMenuProps = {
  /** The drawer's content, rendered only while it is open, so that nothing is on the page twice. */
  children: Elements;
  className?: string;
};

/** A drawer in a native modal dialog, which provides the focus trap, Escape and the inert page behind it. */
function MobileMenu({ children, className }: MobileMenuProps) {
  const t = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);

  return (
    <div className={className}>
      <IconButton
        label={t("shell.openMenu")}
        aria-haspopup="dialog"
        icon={<MenuIcon aria-hidden />}
        onClick={() => setOpen(true)}
        className="size-10"
      />
      {open ? (
        <dialog
          ref={dialog}
          aria-label={t("shell.menu")}
          onClose={() => setOpen(false)}
          onClick={(event) => {
            // A click on the backdrop or on a link closes the drawer.
            const { target } = event;
            if (target === dialog.current || (target instanceof Element && target.closest("a"))) {
              dialog.current?.close();
            }
          }}
          className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-72 max-w-[85vw] animate-slide-in border-l border-line bg-surface text-ink shadow-sheet backdrop:bg-scrim"
        >
          <div className="flex h-full flex-col gap-3 p-3">
            <div className="flex items-center justify-between pl-2">
              <span className="font-semibold">{t("shell.menu")}</span>
              <IconButton
                label={t("common.close")}
                icon={<X aria-hidden />}
                onClick={() => dialog.current?.close()}
                className="size-10"
              />
            </div>
            {children}
          </div>
        </dialog>
      ) : null}
    </div>
  );
}

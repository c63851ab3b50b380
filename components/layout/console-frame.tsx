"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, type ReactNode } from "react";
import { GeneralNav, Nav } from "@/components/layout/nav/nav";
import { Mark } from "./mark";
import {
  AllEnvironmentsBadge,
  EnvironmentBadge,
  TestStripe,
} from "@/components/layout/nav/environment-badge";
import { MobileMenu } from "@/components/layout/nav/mobile-menu";
import { useCurrentEnvironment } from "@/components/layout/nav/current-environment";
import { EnvironmentSwitcher } from "@/components/layout/nav/environment-switcher";
import { RememberTimeZone } from "@/components/layout/preferences/remember-time-zone";
import type { ShellUser } from "./types";
import { UserMenu } from "@/components/layout/nav/user-menu";
import { WifiOff } from "lucide-react";
import { useOffline } from "next/offline";
import { drawnFor } from "@/lib/platform/http/client/fetch-json";
import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";

/** The frame of every console page: one bar, at the left of a wide screen and on top of a narrow one. */
export function ConsoleFrame({ user, children }: { user: ShellUser; children: ReactNode }) {
  const t = useTranslations();
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
      {current ? <TestStripe current={current} /> : null}
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-surface px-4 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-4 lg:border-r lg:border-b-0 lg:p-3 print:hidden">
          <Link
            href="/"
            prefetch={false}
            className="flex shrink-0 items-center gap-2.5 rounded-control lg:px-2 lg:pt-2"
          >
            <Mark />
            <span className="text-[0.9375rem] font-semibold max-lg:sr-only">
              {t("common.product")}
            </span>
          </Link>
          <GeneralNav user={user} className="max-lg:hidden" />
          {current ? (
            <EnvironmentSwitcher user={user} current={current} className="min-w-0" />
          ) : null}
          {current ? <Nav current={current} className="max-lg:hidden" /> : null}
          <UserMenu
            user={user}
            current={current}
            className="mt-auto border-t border-line pt-2 max-lg:hidden"
          />
          <MobileMenu className="ml-auto lg:hidden">
            <GeneralNav user={user} />
            {current ? <Nav current={current} /> : null}
            <UserMenu user={user} current={current} className="mt-auto border-t border-line pt-2" />
          </MobileMenu>
        </header>
        <div className="min-w-0">
          <OfflineBanner />
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-378 scroll-mt-14 px-4 py-6 lg:px-9 lg:py-7"
          >
            {current ? (
              <p className="mb-3 hidden items-center gap-2 print:flex">
                {current.membership.partnerName}
                {current.everywhere ? (
                  <AllEnvironmentsBadge />
                ) : (
                  <EnvironmentBadge environment={current.environment} />
                )}
              </p>
            ) : null}
            {children}
          </main>
        </div>
      </div>
    </>
  );
}

/** Says that there is no network, or that a page could not be fetched and is waiting for Gancho. */
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
        {noNetwork ? t("text") : t("unreachableText")}
      </p>
    </div>
  );
}

"use client";

import { WifiOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useOffline } from "next/offline";
import { useNoNetwork } from "./no-network";

/** Says that there is no network, or that a page could not be fetched and waits for Gancho to answer. */
export function OfflineBanner() {
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

"use client";

import { WifiOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";

/** Says so while the browser has no network. That it has one does not mean that Gancho can be reached. */
export function OfflineBanner() {
  const t = useTranslations("shell.offline");
  const offline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
  if (!offline) return null;
  return (
    <div
      role="alert"
      className="sticky top-14 z-10 flex items-start gap-2.5 border-b border-warn-line bg-warn-soft px-4 py-2.5 lg:top-0 lg:px-9"
    >
      <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <p>
        <strong className="font-semibold text-warn">{t("title")}</strong> {t("text")}
      </p>
    </div>
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

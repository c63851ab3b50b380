"use client";

import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import type { DoneResult } from "@/lib/webhooks/save-answer";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useDeferredValue } from "react";
import { TypeOutcomes } from "./type-outcomes";

type SavedNoticeProps = { result: DoneResult | null; onDismiss: () => void };

/** What the last save did, on the page behind the sheet that made it. The region is always there, so that what comes into it is announced. */
export function SavedNotice({ result: latest, onDismiss }: SavedNoticeProps) {
  // A render later than the sheet closes: until then the page is hidden from assistive technology.
  const result = useDeferredValue(latest);
  const t = useTranslations("webhooks.result");
  const confirmedAt = result?.configuration?.confirmedAt;
  return (
    <div role="status">
      {result ? (
        <Notice tone={result.outcome === "saved" ? "ok" : "info"} title={t(result.outcome)}>
          <div className="flex items-end justify-between gap-4">
            <div className="flex min-w-0 flex-col gap-1">
              <TypeOutcomes results={result.results} />
              <p className="text-small text-ink-2">
                {result.outcome === "unchanged" ? t("nothingSent") : null}
                {result.outcome === "saved" && confirmedAt
                  ? t.rich("readBack", { time: () => <RelativeTime at={confirmedAt} /> })
                  : null}{" "}
                {t("requestId", { requestId: result.requestId })}
              </p>
            </div>
            <IconButton label={t("dismiss")} icon={<X aria-hidden />} onClick={onDismiss} />
          </div>
        </Notice>
      ) : null}
    </div>
  );
}

"use client";

import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import type { WaitingResult } from "@/lib/webhooks/configuration";
import type { DoneResult } from "@/lib/webhooks/save-answer";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useDeferredValue } from "react";
import { TypeOutcomes } from "./type-outcomes";

/** What came of what the person did last. */
export type Done = DoneResult | WaitingResult | { outcome: "reject" | "withdraw" };

type SavedNoticeProps = { result: Done | null; onDismiss: () => void };

/** What the last save did, on the page behind the sheet that made it. The region is always there, so that what comes into it is announced. */
export function SavedNotice({ result: latest, onDismiss }: SavedNoticeProps) {
  // A render later than the sheet closes: until then the page is hidden from assistive technology.
  const result = useDeferredValue(latest);
  const t = useTranslations("webhooks");
  return (
    <div role="status" className="empty:-mt-6">
      {result ? (
        <Notice
          tone={result.outcome === "saved" ? "ok" : "info"}
          title={
            "results" in result
              ? t(`result.${result.outcome}`)
              : t(`proposal.done.${result.outcome}`)
          }
          className="relative pr-14"
        >
          {"results" in result ? <WhatCameOfIt result={result} /> : null}
          <IconButton
            label={t("result.dismiss")}
            icon={<X aria-hidden />}
            onClick={onDismiss}
            className="absolute top-2 right-2"
          />
        </Notice>
      ) : null}
    </div>
  );
}

function WhatCameOfIt({ result }: { result: DoneResult | WaitingResult }) {
  const t = useTranslations("webhooks.result");
  const confirmedAt = result.configuration?.confirmedAt;
  return (
    <>
      <TypeOutcomes results={result.results} />
      <p className="mt-1 text-small text-ink-2">
        {result.outcome === "waiting" ? t("waitingText") : null}
        {result.outcome === "unchanged" ? t("nothingSent") : null}
        {result.outcome === "saved" && confirmedAt
          ? t.rich("readBack", { time: () => <RelativeTime at={confirmedAt} /> })
          : null}{" "}
        {t("requestId", { requestId: result.requestId })}
      </p>
    </>
  );
}

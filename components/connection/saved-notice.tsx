"use client";

import { ButtonLink } from "@/components/ui/button-link";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import type { Connection } from "@/lib/connection/model/connection";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";

export type Saved =
  | { outcome: "saved"; connection: Connection; isFirst: boolean }
  | { outcome: "waiting" | "reject" | "withdraw" };

type SavedNoticeProps = { saved: Saved | null; environmentName: string; onDismiss: () => void };

/** What the last save did. The region is always there, so that what comes into it is announced. */
export function SavedNotice({ saved, environmentName, onDismiss }: SavedNoticeProps) {
  const t = useTranslations("connection.saved");
  const words = useTranslations("approvals.credentials");
  if (saved && saved.outcome !== "saved")
    return (
      <div role="status">
        <Notice
          tone="info"
          title={saved.outcome === "waiting" ? words("sent") : words(`done.${saved.outcome}`)}
        >
          <div className="flex items-end justify-between gap-4">
            <p className="min-w-0">{saved.outcome === "waiting" ? words("sentText") : null}</p>
            <IconButton label={t("dismiss")} icon={<X aria-hidden />} onClick={onDismiss} />
          </div>
        </Notice>
      </div>
    );
  const works = saved?.connection.lastCheck?.ok === true;
  return (
    <div role="status" className="-mt-6 not-empty:mt-0">
      {saved ? (
        <Notice
          tone={works ? "ok" : "warn"}
          title={t(!works ? "unchecked" : saved.isFirst ? "connected" : "replaced")}
          actions={
            works && saved.isFirst ? (
              <ButtonLink
                size="sm"
                href={`/partners/${saved.connection.partner}/${saved.connection.environment}/webhooks`}
              >
                {t("see")}
              </ButtonLink>
            ) : null
          }
        >
          <div className="flex items-end justify-between gap-4">
            <p className="min-w-0">
              {works ? null : t("uncheckedText", { environment: environmentName })}
            </p>
            <IconButton label={t("dismiss")} icon={<X aria-hidden />} onClick={onDismiss} />
          </div>
        </Notice>
      ) : null}
    </div>
  );
}

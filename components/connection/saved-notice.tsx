"use client";

import { useHere } from "@/components/layout/here";
import { ResultNotice } from "@/components/forms/result-notice";
import { ButtonLink } from "@/components/ui/button-link";
import type { Connection } from "@/lib/connection/model/connection";
import { useTranslations } from "next-intl";

export type Saved =
  | { outcome: "saved"; connection: Connection; isFirst: boolean }
  | { outcome: "waiting" | "reject" | "withdraw" };

type SavedNoticeProps = { saved: Saved | null; onDismiss: () => void };

/** The outcome of the last save. */
export function SavedNotice({ saved, onDismiss }: SavedNoticeProps) {
  const t = useTranslations("connection.saved");
  const words = useTranslations("approvals.credentials");
  const { environmentName: environment } = useHere();
  function noticeFor(result: Saved) {
    if (result.outcome === "waiting")
      return { tone: "info", title: words("sent"), children: words("sentText") } as const;
    if (result.outcome !== "saved")
      return { tone: "info", title: words(`done.${result.outcome}`), children: null } as const;
    const { connection, isFirst } = result;
    if (connection.lastCheck?.ok !== true)
      return {
        tone: "warn",
        title: t("unchecked"),
        children: t("uncheckedText", { environment }),
      } as const;
    const href = `/partners/${connection.partner}/${connection.environment}/webhooks`;
    return {
      tone: "ok",
      title: t(isFirst ? "connected" : "replaced"),
      children: null,
      actions: isFirst ? (
        <ButtonLink size="sm" href={href}>
          {t("see")}
        </ButtonLink>
      ) : null,
    } as const;
  }
  return <ResultNotice result={saved && noticeFor(saved)} onDismiss={onDismiss} />;
}

"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ReplaceAnswer } from "@/lib/connection/client/answers";
import type { Connection } from "@/lib/connection/model/connection";
import { useTranslations } from "next-intl";
import { Diagnosis } from "./diagnosis";

/** The message where credentials were not saved, or where that is unknown. Wrong fields say so themselves. */
export type NotSaved = Exclude<ReplaceAnswer, { kind: "saved" | "waiting" | "fields" }>;

type NotSavedNoticeProps = {
  answer: NotSaved;
  connection: Connection;
  /** Saves them although they do not work; null where the fields hold others by now. */
  onSaveAnyway: (() => void) | null;
};

export function NotSavedNotice({ answer, connection, onSaveAnyway }: NotSavedNoticeProps) {
  const t = useTranslations("connection.notSaved");
  const words = useTranslations("approvals.credentials");
  switch (answer.kind) {
    case "not_working":
      return (
        <Notice
          tone="bad"
          role="alert"
          title={t("title")}
          actions={
            onSaveAnyway ? (
              <Button size="sm" onClick={onSaveAnyway}>
                {t("anyway")}
              </Button>
            ) : null
          }
        >
          <p className="mb-2">{t(connection.clientId === null ? "staysNone" : "stays")}</p>
          <Diagnosis
            // Whether anything was changed stands above it.
            problem={{ ...answer.problem, applied: undefined }}
            publicAddress={connection.publicAddress}
          />
        </Notice>
      );
    case "pending":
      return (
        <Notice tone="warn" role="alert" title={words("pending")}>
          {words("pendingText")}
        </Notice>
      );
    case "stale":
      return (
        <Notice tone="warn" role="alert" title={t("stale")}>
          {t("staleText")}
        </Notice>
      );
    case "refused":
      return (
        <FailureNotice
          failure={{ kind: "problem", problem: answer.problem }}
          title={t("refused")}
          unreachable={t("lostText")}
        />
      );
    case "lost":
      return (
        <Notice tone="warn" role="alert" title={t("lost")}>
          {t("lostText")}
        </Notice>
      );
  }
}

"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { useTranslations } from "next-intl";

export type Result =
  | { kind: "role"; name: string; role: PartnerRole }
  | { kind: "removed"; name: string; partner: string }
  | { kind: "revoked"; email: string }
  | { kind: "fourEyes"; done: "on" | "off" | "asked" | "kept" }
  | { kind: "failed"; failure: Failure };

type TeamResultProps = { result: Result | null; onDismiss: () => void };

/** The outcome of the last change. */
export function TeamResult({ result, onDismiss }: TeamResultProps) {
  const t = useTranslations("team.failed");
  const words = useWords();
  return (
    <ResultNotice
      onDismiss={onDismiss}
      result={
        result?.kind === "failed"
          ? { failure: result.failure, title: t("title"), unreachable: t("noAnswer") }
          : result && { tone: "ok", children: words(result) }
      }
    />
  );
}

function useWords() {
  const t = useTranslations();
  return (result: Exclude<Result, { kind: "failed" }>): string => {
    switch (result.kind) {
      case "role":
        return t("team.done.role", { name: result.name, role: t(`common.roles.${result.role}`) });
      case "removed":
        return t("team.done.removed", { name: result.name, partner: result.partner });
      case "revoked":
        return t("team.done.revoked", { email: result.email });
      case "fourEyes":
        return t(`team.fourEyes.done.${result.done}`);
    }
  };
}

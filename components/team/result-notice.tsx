"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { TeamRole } from "@/lib/team/model/requests";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useDeferredValue } from "react";

export type Result =
  | { kind: "role"; name: string; role: TeamRole }
  | { kind: "removed"; name: string; partner: string }
  | { kind: "revoked"; email: string }
  | { kind: "fourEyes"; done: "on" | "off" | "asked" | "kept" }
  | { kind: "failed"; failure: Failure };

type ResultNoticeProps = { result: Result | null; onDismiss: () => void };

/** What the last change did. The region is always there, so that what comes into it is announced. */
export function ResultNotice({ result: latest, onDismiss }: ResultNoticeProps) {
  // A render later than the dialog closes: until then the page is hidden from assistive technology.
  const result = useDeferredValue(latest);
  const t = useTranslations("team");
  const words = useWords();
  return (
    <div role="status" className="-mt-6 not-empty:mt-0">
      {result?.kind === "failed" ? (
        <FailureNotice
          failure={result.failure}
          title={t("failed.title")}
          unreachable={t("failed.noAnswer")}
        />
      ) : null}
      {result && result.kind !== "failed" ? (
        <Notice tone="ok">
          <div className="flex items-center justify-between gap-4">
            <p className="min-w-0">{words(result)}</p>
            <IconButton label={t("done.dismiss")} icon={<X aria-hidden />} onClick={onDismiss} />
          </div>
        </Notice>
      ) : null}
    </div>
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

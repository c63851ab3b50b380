"use client";

import { Button } from "@/components/ui/button";
import { fetchJson } from "@/lib/platform/http/client/fetch-json";
import { ClipboardCopy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";

type CopyDiagnosisProps = { partnerId: string; environment: string };

/** Copies a summary of this configuration for a colleague. */
export function CopyDiagnosis({ partnerId, environment }: CopyDiagnosisProps) {
  const t = useTranslations("support.banner");
  const [state, setState] = useState<"idle" | "busy" | "copied" | "diagnosisFailed">("idle");

  async function copy() {
    setState("busy");
    const path = `/api/partners/${partnerId}/${encodeURIComponent(environment)}/diagnosis`;
    const answer = await fetchJson(path, { timeout: 10_000 });
    const text = answer.kind === "ok" ? (answer.body as { text?: unknown }).text : null;
    const copied =
      typeof text === "string" &&
      (await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ));
    setState(copied ? "copied" : "diagnosisFailed");
  }

  return (
    <>
      <Button
        size="sm"
        pending={state === "busy"}
        icon={<ClipboardCopy aria-hidden />}
        onClick={() => void copy()}
      >
        {t("copy")}
      </Button>
      <span
        role="status"
        className={state === "diagnosisFailed" ? "text-small text-bad" : "text-small"}
      >
        {state === "copied" || state === "diagnosisFailed" ? t(state) : ""}
      </span>
    </>
  );
}

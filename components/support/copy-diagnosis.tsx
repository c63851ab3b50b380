"use client";

import { Button } from "@/components/ui/button";
import { fetchJson } from "@/lib/platform/http/client/fetch-json";
import { Check, ClipboardCopy } from "lucide-react";
import { useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";

/** Few browsers need it (those that refuse the clipboard), and everybody's first load would carry it. */
const Sheet = dynamic(() => import("@/components/ui/sheet").then((module) => module.Sheet), {
  ssr: false,
});

/** Milliseconds. */
const timeout = 10_000;
const saidFor = 3_000;

type CopyDiagnosisProps = { partnerId: string; environment: string };

type State = { kind: "idle" | "busy" | "copied" | "failed" } | { kind: "by_hand"; text: string };

/** Copies a summary of this configuration for a colleague; where the browser refuses, shows it. */
export function CopyDiagnosis({ partnerId, environment }: CopyDiagnosisProps) {
  const t = useTranslations();
  const [state, setState] = useState<State>({ kind: "idle" });

  useEffect(() => {
    if (state.kind !== "copied" && state.kind !== "failed") return;
    const timer = setTimeout(() => setState({ kind: "idle" }), saidFor);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    setState({ kind: "busy" });
    const path = `/api/partners/${partnerId}/${encodeURIComponent(environment)}/diagnosis`;
    const answer = await fetchJson(path, { timeout });
    const text = answer.kind === "ok" ? await textIn(answer.body) : undefined;
    if (text === undefined) {
      setState({ kind: "failed" });
      return;
    }
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setState(copied ? { kind: "copied" } : { kind: "by_hand", text });
  }

  const message = {
    idle: "",
    busy: "",
    by_hand: "",
    copied: t("support.banner.copied"),
    failed: t("support.banner.diagnosisFailed"),
  }[state.kind];
  return (
    <>
      <Button
        size="sm"
        pending={state.kind === "busy"}
        icon={state.kind === "copied" ? <Check aria-hidden /> : <ClipboardCopy aria-hidden />}
        onClick={() => void copy()}
      >
        {state.kind === "copied" ? message : t("support.banner.copy")}
      </Button>
      <span
        aria-live="polite"
        className={state.kind === "failed" ? "text-small text-bad" : "sr-only"}
      >
        {message}
      </span>
      {state.kind === "by_hand" ? (
        <Sheet
          open
          title={t("support.banner.diagnosis")}
          description={t("support.banner.copyFailed")}
          onCloseRequest={() => setState({ kind: "idle" })}
        >
          <pre
            tabIndex={0}
            className="rounded-control border border-line bg-sunken p-3 font-mono text-small [overflow-wrap:anywhere] whitespace-pre-wrap select-all"
          >
            {state.text}
          </pre>
        </Sheet>
      ) : null}
    </>
  );
}

/** The first load leaves out the code that parses the answer. */
async function textIn(body: unknown): Promise<string | undefined> {
  const { readDiagnosis } = await import("./read-diagnosis");
  return readDiagnosis(body);
}

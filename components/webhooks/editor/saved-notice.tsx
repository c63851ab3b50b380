"use client";

import { ProblemText } from "@/components/forms/failure-notice";
import { ResultNotice } from "@/components/forms/result-notice";
import { RelativeTime } from "@/components/ui/time";
import { Address } from "@/components/webhooks/compare/address";
import type { Configuration, SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { isAddressOnly, writtenAs } from "@/lib/webhooks/model/save-end";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { KeepsChecking } from "@/components/webhooks/list/open-saves";

/** How a save ended, and what else its notice needs. */
export type Ended = (SaveResult | WaitingResult) & {
  /** The address as typed; left out if another person typed it. */
  typed?: string;
  /** Who saved, if the save was not made on this page. */
  by?: string;
};

/** The outcome of the person's last action, or of a save that was open. */
export type Done = Ended | { outcome: "reject" | "withdraw" };

type SavedNoticeProps = {
  result: Done | null;
  /** What the screen shows now. */
  configuration: Configuration;
  onDismiss: () => void;
};

/** The outcome of the last save, shown on the page; that it waits for approval, only while it does. */
export function SavedNotice({ result: last, configuration, onDismiss }: SavedNoticeProps) {
  const t = useTranslations("webhooks");
  const waiting = last?.outcome === "waiting" ? last.proposal : null;
  const isListed = configuration.proposals?.some(({ id }) => id === waiting) ?? false;
  // The reading on the screen may be from before the proposal was stored.
  const [listed, setListed] = useState<string | null>(null);
  if (isListed && listed !== waiting) setListed(waiting);
  const result = waiting !== null && listed === waiting && !isListed ? null : last;
  return (
    <ResultNotice
      onDismiss={onDismiss}
      result={
        result && {
          tone: toneOf(result.outcome),
          title:
            "results" in result
              ? t(`result.${result.outcome}`)
              : t(`proposal.done.${result.outcome}`),
          children: "results" in result ? <SaveOutcomeDetails result={result} /> : null,
        }
      }
    />
  );
}

const info: ReadonlySet<Done["outcome"]> = new Set(["unchanged", "waiting", "reject", "withdraw"]);

function toneOf(outcome: Done["outcome"]): "ok" | "info" | "warn" {
  if (outcome === "saved") return "ok";
  return info.has(outcome) ? "info" : "warn";
}

function SaveOutcomeDetails({ result }: { result: Ended }) {
  const t = useTranslations("webhooks.result");
  const { configuration, requestId, typed, by } = result;
  const written =
    typed !== undefined && result.outcome !== "waiting" ? writtenAs(result, typed) : null;
  return (
    <>
      {by === undefined ? null : <p>{t("saveBy", { name: by })}</p>}
      <TypeOutcomes results={result.results} />
      {"afterError" in result ? <p className="mt-1">{t("afterError")}</p> : null}
      {result.outcome === "waiting" ? null : isAddressOnly(result) ? (
        <p className="mt-1">{t("valueUnseen")}</p>
      ) : result.outcome === "accepted" ? (
        <p className="mt-1">
          {t("notShownYet")} <KeepsChecking result={result} />
        </p>
      ) : (
        <NextStep result={result} />
      )}
      {written === null ? null : (
        <p className="mt-1">
          {t.rich("writtenAs", {
            address: () => (
              <span className="text-[0.8125rem]">
                <Address coloured url={written} />
              </span>
            ),
          })}
        </p>
      )}
      <p className="mt-1 text-small text-ink-2">
        {result.outcome === "waiting" ? t("waitingText") : null}
        {result.outcome === "unchanged" ? t("nothingSent") : null}
        {result.outcome === "saved" && configuration
          ? t.rich("readBack", { time: () => <RelativeTime at={configuration.confirmedAt} /> })
          : null}{" "}
        {t("requestId", { requestId })}
      </p>
    </>
  );
}

const nextSteps = {
  saved: null,
  unchanged: null,
  accepted: null,
  unknown: "asked.still_open",
  overtaken: "overtakenText",
  not_applied: "notAppliedText",
  partial: "missingText",
  not_saved: "missingText",
} as const;

/** Why a save ended without full success, where Gancho knows, and what to do. */
function NextStep({ result: { outcome, reason, open } }: { result: SaveResult }) {
  const t = useTranslations("webhooks.result");
  const next = nextSteps[outcome];
  if (next === null || (outcome === "unknown" && open)) return null;
  return (
    <div className="mt-1">
      {next === "missingText" && isProblemCode(reason) ? (
        <ProblemText problem={{ code: reason }} />
      ) : (
        <p>{t(next)}</p>
      )}
    </div>
  );
}

/** How a save ended for each of its types. */
export function TypeOutcomes({ results }: { results: SaveResult["results"] }) {
  const t = useTranslations("webhooks");
  return (
    <ul>
      {results.map(({ type, outcome, authorization }) => (
        <li key={type}>
          <strong className="font-semibold">{t(`types.${type}`)}</strong>:{" "}
          {authorization ? t("result.types.addressOnly") : t(`result.types.${outcome}`)}
        </li>
      ))}
    </ul>
  );
}

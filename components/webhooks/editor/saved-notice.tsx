"use client";

import { ProblemText } from "@/components/forms/failure-notice";
import { type Elements, Sentences } from "@/components/ui/sentences";
import { ResultNotice } from "@/components/forms/result-notice";
import { ClockTime } from "@/components/ui/time";
import { Address } from "@/components/webhooks/compare/address";
import type { Configuration, SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { isShownOnly, titleOf, writtenAs } from "@/lib/webhooks/model/save-end";
import { useTranslations } from "next-intl";
import { useState } from "react";

/** What is said of a save, and what else its notice needs. */
export type Ended = (SaveResult | WaitingResult) & {
  /** The address as typed; left out if another person typed it. */
  typed?: string;
  /** Whether it set another value where a receiver asked for one; left out as above. */
  rotates?: boolean;
  /** Who saved, if the save was not made on this page. */
  by?: string;
};

/** The outcome of the person's last action, or of a save that was open. */
export type Done = Ended | { outcome: "reject" | "withdraw" };

type SavedNoticeProps = {
  result: Done | null;
  /** What the screen shows now. */
  configuration: Configuration;
  /** What is left to do after it. */
  left?: Elements;
  onDismiss: () => void;
};

/** The outcome of the last save, shown on the page; that it waits for approval, only while it does. */
export function SavedNotice(props: SavedNoticeProps) {
  const { result: last, configuration, left = null, onDismiss } = props;
  const t = useTranslations("webhooks");
  const waiting = last?.outcome === "waiting" ? last.proposal : null;
  const isListed = configuration.proposals?.some(({ id }) => id === waiting) ?? false;
  // The reading on the screen may be from before the proposal was stored.
  const [listed, setListed] = useState<string | null>(null);
  if (isListed && listed !== waiting) setListed(waiting);
  const result = waiting !== null && listed === waiting && !isListed ? null : last;
  const titleIn = (done: Done) =>
    !("results" in done)
      ? t(`proposal.done.${done.outcome}`)
      : t(`result.${done.outcome === "waiting" ? "waiting" : titleOf(done)}`);
  return (
    <ResultNotice
      onDismiss={onDismiss}
      result={
        result && {
          tone: toneOf(result),
          title: titleIn(result),
          children:
            "results" in result ? (
              <>
                <SavedDetails result={result} />
                {left}
              </>
            ) : null,
        }
      }
    />
  );
}

const info: ReadonlySet<Done["outcome"]> = new Set(["unchanged", "waiting", "reject", "withdraw"]);

function toneOf(done: Done): "ok" | "info" | "warn" {
  if (info.has(done.outcome)) return "info";
  const isShown = (each: Results[number]) => each.shownUntil === undefined;
  return done.outcome === "saved" && done.results.every(isShown) ? "ok" : "warn";
}

function SavedDetails({ result }: { result: Ended }) {
  const t = useTranslations("webhooks.result");
  const { typed, by } = result;
  if (result.outcome === "waiting")
    return <p className="mt-1 text-small text-ink-2">{t("waitingText")}</p>;
  const written = typed === undefined ? null : writtenAs(result, typed);
  return (
    <>
      {by === undefined ? null : <p>{t("saveBy", { name: by })}</p>}
      <SaidOfTypes results={result.results} />
      <WhyNotSent result={result} />
      {written === null ? null : (
        <p className="mt-1">
          <Sentences
            of={[
              t.rich("writtenAs", {
                address: () => (
                  <span className="text-[0.8125rem]">
                    <Address coloured url={written} />
                  </span>
                ),
              }),
            ]}
          />
        </p>
      )}
    </>
  );
}

/** Why nothing was sent, or why it was refused, where Gancho knows it. */
function WhyNotSent({ result: { outcome, reason } }: { result: SaveResult }) {
  const isUnsent = outcome === "not_sent" || outcome === "refused";
  if (!isUnsent || !isProblemCode(reason)) return null;
  return (
    <div className="mt-1">
      <ProblemText problem={{ code: reason }} />
    </div>
  );
}

type Results = SaveResult["results"];

/** What was answered and shown for each type, with its times; one line where it is the same for all. */
export function SaidOfTypes({ results }: { results: Results }) {
  const t = useTranslations("webhooks");
  const [first, ...others] = results;
  if (!first) return null;
  const isSame = others.every(
    (each) => JSON.stringify({ ...each, type: first.type }) === JSON.stringify(first),
  );
  if (isSame)
    return (
      <p>
        <Said result={first} />
      </p>
    );
  return (
    <ul>
      {results.map((result) => (
        <li key={result.type}>
          <strong className="font-semibold">{t(`types.${result.type}`)}</strong>
          <span>{`: ${t(`result.${isShownOnly(result) ? "shown" : result.outcome}`)}. `}</span>
          <Said result={result} />
        </li>
      ))}
    </ul>
  );
}

/** One type: since when it is shown, or when Gancho looked last. */
function Said({ result }: { result: Results[number] }) {
  const t = useTranslations("webhooks.result.said");
  const { outcome, shownAt, shownUntil, answered, lookedAt, until, value } = result;
  const at = (moment: string | undefined, ahead?: true) => () => (
    <ClockTime at={moment ?? ""} {...(ahead && { ahead })} />
  );
  const times = {
    from: at(shownAt),
    to: at(shownUntil),
    looked: at(lookedAt),
    until: at(until, true),
  };
  const answer = answered === undefined ? t("noAnswer") : t("answered", { status: answered });
  const isPast = shownUntil !== undefined;
  switch (outcome) {
    case "not_sent":
      return null;
    case "unchanged":
      return <span>{t("unchanged")}</span>;
    case "saved":
      return (
        <Sentences
          of={[
            t.rich(isPast ? "between" : "since", times),
            !isShownOnly(result)
              ? null
              : answered === undefined
                ? t("noAnswer")
                : t("hadAnswered", { status: answered }),
          ]}
        />
      );
    case "partly":
      return (
        <Sentences
          of={[
            t.rich(isPast ? "addressBetween" : "addressSince", times),
            value === undefined ? null : t(`value.${value}`),
          ]}
        />
      );
    case "refused":
      return (
        <Sentences of={[answer, lookedAt === undefined ? null : t.rich("lookedFor", times)]} />
      );
    default:
      return (
        <Sentences
          of={[
            outcome === "unclear" ? answer : null,
            value === undefined ? null : t("valueUnseen"),
            lookedAt !== undefined
              ? t.rich("lookedAt", times)
              : // Of one that is over, the looks as another client or elsewhere say nothing.
                until === undefined
                ? null
                : t("notLooked"),
            until === undefined ? null : t.rich("until", times),
            outcome === "not_shown" ? t("compare") : null,
          ]}
        />
      );
  }
}

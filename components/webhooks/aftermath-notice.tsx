"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ClientProblem } from "@/lib/fetch-json";
import type { WebhookType } from "@/lib/webhooks/types";
import { RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { ProblemText } from "./problem-text";
import { TypeOutcomes } from "./type-outcomes";
import type { Aftermath } from "./use-sheet-save";

export type Told = Extract<Aftermath, { kind: "not_done" | "refused" | "unsettled" }>;
type Of<Kind extends Told["kind"]> = Extract<Told, { kind: Kind }>;

type AftermathNoticeProps = {
  aftermath: Told;
  pending: boolean;
  /** Names and makes the save of one type that is missing. */
  labelOf: (type: WebhookType) => string;
  onSaveRest: (type: WebhookType) => void;
  onCheckAgain: (unsettled: Of<"unsettled">) => void;
};

/** A save that did not simply succeed: what happened, what changed, what to do next, what to quote. */
export function AftermathNotice({ aftermath, ...rest }: AftermathNoticeProps) {
  switch (aftermath.kind) {
    case "refused":
      return <Refused problem={aftermath.problem} />;
    case "not_done":
      return <NotDone {...rest} aftermath={aftermath} />;
    case "unsettled":
      return <Unsettled {...rest} aftermath={aftermath} />;
  }
}

function Refused({ problem }: { problem: ClientProblem }) {
  const t = useTranslations("webhooks.result");
  return (
    <Notice role="alert" tone="bad" title={t("not_saved")}>
      <ProblemText problem={{ applied: "no", ...problem }} />
      <p className="mt-1">{t("draftKept")}</p>
      {problem.code === "signed_out" ? (
        <a
          href="/sign-in"
          target="_blank"
          rel="noreferrer"
          className="mt-1 inline-block font-medium text-brand underline"
        >
          {t("signIn")}
        </a>
      ) : null}
    </Notice>
  );
}

type NotDoneProps = Omit<AftermathNoticeProps, "aftermath"> & { aftermath: Of<"not_done"> };

function NotDone({ aftermath, pending, labelOf, onSaveRest }: NotDoneProps) {
  const t = useTranslations("webhooks.result");
  const { result, problem } = aftermath;
  const partial = result.outcome === "partial";
  const missing = partial ? result.results.filter(({ outcome }) => outcome === "not_saved") : [];
  return (
    <Notice role="alert" tone={partial ? "warn" : "bad"} title={t(result.outcome)}>
      <div className="flex flex-col gap-2">
        {partial ? <TypeOutcomes results={result.results} /> : null}
        {/* Of a partly saved one, "applied" could only say less than the lines above. */}
        <ProblemText problem={partial ? { ...problem, applied: undefined } : problem} />
        {missing.map(({ type }) => (
          <Button
            key={type}
            variant="primary"
            size="sm"
            className="self-start"
            pending={pending}
            onClick={() => onSaveRest(type)}
          >
            {labelOf(type)}
          </Button>
        ))}
      </div>
    </Notice>
  );
}

type UnsettledProps = Omit<AftermathNoticeProps, "aftermath"> & { aftermath: Of<"unsettled"> };

function Unsettled({ aftermath, pending, onCheckAgain }: UnsettledProps) {
  const t = useTranslations("webhooks.result");
  const { result, problem, looked } = aftermath;
  const said = {
    not_yet: null,
    not_recorded: t("notRecorded"),
    still_unknown: t("stillUnknown"),
    still_old: t("stillOld"),
  }[looked];
  return (
    <Notice role="alert" tone="warn" title={t("unknown")}>
      <div className="flex flex-col gap-2">
        {result ? <TypeOutcomes results={result.results} /> : null}
        {problem ? (
          <ProblemText problem={problem} next={t("lostNext")} />
        ) : (
          <p>
            {t("lost")} {t("lostNext")}
          </p>
        )}
        {said ? <p className="font-medium">{said}</p> : null}
        <Button
          size="sm"
          className="self-start"
          icon={<RefreshCw aria-hidden />}
          pending={pending}
          onClick={() => onCheckAgain(aftermath)}
        >
          {t("checkAgain")}
        </Button>
      </div>
    </Notice>
  );
}

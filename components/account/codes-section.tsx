"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime } from "@/components/ui/time";
import type { Account } from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { Section } from "@/components/ui/section";
import { CodesStep, type CodesDone, type CodesStepState } from "./codes-step";

type CodesSectionProps = {
  codes: Account["codes"];
  /** Whether the person has to set them up before anything else. */
  required: boolean;
};

/** The second step of signing in: from setting it up to turning it off. */
export function CodesSection({ codes, required }: CodesSectionProps) {
  const t = useTranslations("account.codes");
  const [step, setStep] = useState<CodesStepState | null>(null);
  const [left, setLeft] = useState<{ from: CodesStepState["kind"]; done: CodesDone | null } | null>(
    null,
  );
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused element is gone: the focus returns to the button that opened the step, unless there is a result to go
    // on to.
    if (left && !left.done)
      actions.current?.querySelector<HTMLElement>(`[data-begins="${left.from}"]`)?.focus();
  }, [left]);

  function go(next: CodesStepState) {
    setLeft(null);
    setStep(next);
  }

  function leave(done: CodesDone | null) {
    if (step) setLeft({ from: step.kind === "confirm" ? "begin" : step.kind, done });
    setStep(null);
  }

  const done = left?.done ?? null;
  // The last change counts, also while the page still shows the state before it.
  const isOn = step?.kind === "keep" || (codes !== null && done !== "turnedOff");
  return (
    <Section
      title={t("title")}
      text={t("text")}
      state={<Badge tone={isOn ? "ok" : "neutral"}>{t(isOn ? "on" : "off")}</Badge>}
    >
      <ResultNotice
        takesFocus
        result={
          done && {
            tone: "ok",
            children: t(`done.${done}`),
            actions:
              done === "setUp" ? (
                <ButtonLink href="/" size="sm">
                  {t("goOn")}
                </ButtonLink>
              ) : null,
          }
        }
      />
      {codes && isOn && step?.kind !== "keep" ? <Standing codes={codes} /> : null}
      {step ? <CodesStep step={step} onGo={go} onLeave={leave} /> : null}
      {step === null ? (
        <div ref={actions} className="flex flex-wrap gap-2">
          {isOn ? (
            <>
              <Button data-begins="renew" onClick={() => go({ kind: "renew" })}>
                {t("renew")}
              </Button>
              <Button data-begins="turnOff" onClick={() => go({ kind: "turnOff" })}>
                {t("turnOff")}
              </Button>
            </>
          ) : (
            <Button
              data-begins="begin"
              variant={required ? "primary" : "secondary"}
              onClick={() => go({ kind: "begin" })}
            >
              {t("setUp")}
            </Button>
          )}
        </div>
      ) : null}
    </Section>
  );
}

/** Fewer recovery codes than this call for a warning. */
const few = 3;

function Standing({ codes }: { codes: NonNullable<Account["codes"]> }) {
  const t = useTranslations("account.codes");
  const left = codes.recoveryCodesLeft;
  return (
    <>
      <p className="text-small text-ink-2">
        {t.rich("since", { time: () => <AbsoluteTime at={codes.since} /> })}
        {" · "}
        {t("left", { count: left })}
      </p>
      {left < few ? <Notice tone="warn">{t("fewLeft", { count: left })}</Notice> : null}
    </>
  );
}

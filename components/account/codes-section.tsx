"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime } from "@/components/ui/time";
import type { Account, BegunCodes } from "@/lib/account/account";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AccountSection } from "./account-section";
import { BeginCodesForm } from "./begin-codes-form";
import { ConfirmCodesForm } from "./confirm-codes-form";
import { RecoveryCodes } from "./recovery-codes";
import { TurnOffCodesForm } from "./turn-off-codes-form";

type CodesSectionProps = {
  codes: Account["codes"];
  /** Whether nothing else can be done before they are set up. */
  required: boolean;
};

type Doing =
  | { kind: "begin" }
  | { kind: "confirm"; begun: BegunCodes }
  | { kind: "keep"; recoveryCodes: readonly string[] }
  | { kind: "turn_off" };

/** The second step of signing in: from setting it up to turning it off. */
export function CodesSection({ codes, required }: CodesSectionProps) {
  const t = useTranslations("account.codes");
  const [doing, setDoing] = useState<Doing | null>(null);
  const [done, setDone] = useState<"kept" | "turnedOff" | null>(null);

  function go(next: Doing | null, result: typeof done = null) {
    setDoing(next);
    setDone(result);
  }

  const isOn = codes !== null;
  return (
    <AccountSection
      title={t("title")}
      text={t("text")}
      state={<Badge tone={isOn ? "ok" : "neutral"}>{t(isOn ? "on" : "off")}</Badge>}
    >
      <div role="status" className="-mt-4 not-empty:mt-0">
        {done ? (
          <Notice
            tone="ok"
            actions={
              done === "kept" ? (
                <ButtonLink href="/" size="sm">
                  {t("goOn")}
                </ButtonLink>
              ) : null
            }
          >
            {t(`done.${done}`)}
          </Notice>
        ) : null}
      </div>
      {codes && doing?.kind !== "keep" ? <Standing codes={codes} /> : null}
      {doing === null ? (
        <div>
          {isOn ? (
            <Button onClick={() => go({ kind: "turn_off" })}>{t("turnOff")}</Button>
          ) : (
            <Button
              variant={required ? "primary" : "secondary"}
              onClick={() => go({ kind: "begin" })}
            >
              {t("setUp")}
            </Button>
          )}
        </div>
      ) : null}
      {doing?.kind === "begin" ? (
        <BeginCodesForm
          onBegun={(begun) => go({ kind: "confirm", begun })}
          onCancel={() => go(null)}
        />
      ) : null}
      {doing?.kind === "confirm" ? (
        <ConfirmCodesForm
          begun={doing.begun}
          onConfirmed={(recoveryCodes) => go({ kind: "keep", recoveryCodes })}
          onCancel={() => go(null)}
        />
      ) : null}
      {doing?.kind === "keep" ? (
        <RecoveryCodes codes={doing.recoveryCodes} onKept={() => go(null, "kept")} />
      ) : null}
      {doing?.kind === "turn_off" ? (
        <TurnOffCodesForm onDone={() => go(null, "turnedOff")} onCancel={() => go(null)} />
      ) : null}
    </AccountSection>
  );
}

/** Fewer recovery codes than this are few. */
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

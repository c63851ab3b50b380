"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { Sentences } from "@/components/ui/sentences";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime } from "@/components/ui/time";
import {
  type Account,
  confirmedCodesSchema,
  doneSchema,
  type BegunCodes,
  begunCodesSchema,
} from "@/lib/account/model/account";
import { buttonStyle } from "@/components/ui/button-style";
import { Download, Printer } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type ComponentProps } from "react";
import { Section } from "@/components/ui/section";
import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { AccountForm } from "./account-form";
import { CodeField } from "./code-field";
import { CopyButton } from "@/components/ui/copy-button";
import { usePageLeft } from "@/components/ui/use-page-left";

type CodesSectionProps = {
  codes: Account["codes"];
  /** Whether the person has to set them up before anything else. */
  required: boolean;
};

/** Sets up, renews and turns off one-time codes, the second step of signing in. */
export function CodesSection({ codes, required }: CodesSectionProps) {
  const t = useTranslations("account.codes");
  const [step, setStep] = useState<CodesStepState | null>(null);
  const [last, setLast] = useState<{ from: CodesStepState["kind"]; done: CodesDone | null } | null>(
    null,
  );
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused element is gone: the button that opened the step takes the focus, unless there is a result to focus.
    if (last && !last.done)
      actions.current?.querySelector<HTMLElement>(`[data-begins="${last.from}"]`)?.focus();
  }, [last]);

  function go(next: CodesStepState) {
    setLast(null);
    setStep(next);
  }

  function leave(done: CodesDone | null) {
    if (step) setLast({ from: step.kind === "confirm" ? "begin" : step.kind, done });
    setStep(null);
  }

  const done = last?.done ?? null;
  const { recoveryCodesLeft = 0 } = codes ?? {};
  // The last change counts even while the props still hold the state before it.
  const isOn =
    step?.kind === "keep" || done === "setUp" || (codes !== null && done !== "turnedOff");
  return (
    <Section
      anchor="codes"
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
      {codes && isOn && step?.kind !== "keep" ? (
        <p className="text-small text-ink-2">
          <Sentences
            of={[
              t.rich("since", { time: () => <AbsoluteTime at={codes.since} /> }),
              `· ${t("left", { count: recoveryCodesLeft })}`,
            ]}
          />
        </p>
      ) : null}
      {codes && isOn && step?.kind !== "keep" && recoveryCodesLeft < lowCodeCount ? (
        <Notice tone="warn">{t("fewLeft", { count: recoveryCodesLeft })}</Notice>
      ) : null}
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

/** With fewer recovery codes than this, the section warns. */
const lowCodeCount = 3;

type CodesDone = "setUp" | "renewed" | "turnedOff";

type CodesStepState =
  | { kind: "begin" }
  | { kind: "confirm"; begun: BegunCodes }
  | { kind: "renew" }
  | { kind: "keep"; recoveryCodes: readonly string[]; after: "setUp" | "renewed" }
  | { kind: "turnOff" };

type CodesStepProps = {
  step: CodesStepState;
  onGo: (next: CodesStepState) => void;
  /** Null if nothing changed. */
  onLeave: (done: CodesDone | null) => void;
};

/** One step of setting one-time codes up, renewing recovery codes, or turning codes off. */
function CodesStep({ step, onGo, onLeave }: CodesStepProps) {
  const t = useTranslations("account.codes");
  const onCancel = () => onLeave(null);
  switch (step.kind) {
    case "begin":
      return (
        // Asks for the password: whoever takes over an open session must not lock its owner out.
        <ProofsForm
          request={{ path: "one-time-codes" }}
          answer={begunCodesSchema}
          fields={["password"]}
          submit={{ label: t("continue") }}
          onDone={(begun) => onGo({ kind: "confirm", begun })}
          onCancel={onCancel}
        />
      );
    case "confirm":
      return (
        <AccountForm
          request={{ path: "one-time-codes", method: "PUT" }}
          answer={confirmedCodesSchema}
          fields={["code"]}
          submit={{ label: t("confirm") }}
          onDone={({ recoveryCodes }) => onGo({ kind: "keep", recoveryCodes, after: "setUp" })}
          onCancel={onCancel}
        >
          {(codeOf) => (
            <>
              <p tabIndex={-1} className="text-pretty outline-none">
                {t("scan")}
              </p>
              <Secret begun={step.begun} />
              <CodeField label={t("code")} hint={t("codeHint")} code={codeOf("code")} />
            </>
          )}
        </AccountForm>
      );
    case "renew":
      return (
        <ProofsForm
          request={{ path: "recovery-codes" }}
          answer={confirmedCodesSchema}
          fields={["password", "code"]}
          text={t("renewText")}
          submit={{ label: t("renew") }}
          onDone={({ recoveryCodes }) => onGo({ kind: "keep", recoveryCodes, after: "renewed" })}
          onCancel={onCancel}
        />
      );
    case "keep":
      return (
        <RecoveryCodes
          codes={step.recoveryCodes}
          after={step.after}
          onKept={() => onLeave(step.after)}
        />
      );
    case "turnOff":
      return (
        <ProofsForm
          request={{ path: "one-time-codes", method: "DELETE" }}
          answer={doneSchema}
          fields={["password", "code"]}
          text={t("turnOffText")}
          submit={{ label: t("turnOff"), variant: "danger" }}
          onDone={() => onLeave("turnedOff")}
          onCancel={onCancel}
        />
      );
  }
}

type ProofsFormProps<Answer> = Omit<
  ComponentProps<typeof AccountForm<"password" | "code", Answer>>,
  "children" | "className"
> & {
  /** Describes the state after the change. */
  text?: string;
};

/** A form for changes that require the password, or the password and a code. */
function ProofsForm<Answer>({ text, ...form }: ProofsFormProps<Answer>) {
  const t = useTranslations("account.codes");
  return (
    <AccountForm {...form} className="max-w-md">
      {(codeOf) => (
        <>
          {text ? <p className="text-pretty text-ink-2">{text}</p> : null}
          <CheckedPasswordField
            label={t("password")}
            autoComplete="current-password"
            code={codeOf("password")}
          />
          {form.fields.includes("code") ? (
            <CodeField letters label={t("anyCode")} code={codeOf("code")} />
          ) : null}
        </>
      )}
    </AccountForm>
  );
}

type RecoveryCodesProps = {
  codes: readonly string[];
  after: "setUp" | "renewed";
  onKept: () => void;
};

/** Shows the recovery codes, this one time: nobody can read them again. */
function RecoveryCodes({ codes, after, onKept }: RecoveryCodesProps) {
  const t = useTranslations();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  usePageLeft(onKept);
  return (
    <div className="flex flex-col gap-4">
      <Notice
        ref={notice}
        tabIndex={-1}
        tone="warn"
        title={t("account.codes.keep.title")}
        className="outline-none"
      >
        {`${t(`account.codes.keep.${after}`)} ${t("account.codes.keep.text")}`}
      </Notice>
      <div
        // For globals.css.
        data-alone-on-paper
        className="flex max-w-md items-start justify-between gap-2 rounded-control border border-line bg-sunken p-3"
      >
        <p className="hidden print:block">{`${t("account.codes.keep.list")}: ${location.host}`}</p>
        <ul
          aria-label={t("account.codes.keep.list")}
          translate="no"
          className="grid gap-x-8 gap-y-1 font-mono text-small sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join("\n")} label={t("account.codes.keep.copy")} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onKept}>
          {t("account.codes.keep.done")}
        </Button>
        <a
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`}
          className={buttonStyle("secondary", "md")}
        >
          <Download aria-hidden />
          <span>{t("account.codes.keep.download")}</span>
        </a>
        <Button icon={<Printer aria-hidden />} onClick={() => window.print()}>
          {t("account.codes.keep.print")}
        </Button>
      </div>
    </div>
  );
}

/** The secret as a QR code and as text. The QR code is dark on white in both themes: cameras expect it. */
function Secret({ begun: { picture, secret, uri } }: { begun: BegunCodes }) {
  const t = useTranslations();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <svg
        role="img"
        aria-label={t("account.codes.picture")}
        viewBox={`0 0 ${picture.size} ${picture.size}`}
        shapeRendering="crispEdges"
        className="size-52 shrink-0 rounded-control border border-line"
      >
        <rect width={picture.size} height={picture.size} fill="#ffffff" />
        <path d={picture.path} fill="#000000" />
      </svg>
      <div className="flex min-w-0 flex-1 basis-56 flex-col gap-2">
        <p className="text-small text-ink-2">{t("account.codes.secret")}</p>
        <div className="flex items-center gap-1">
          <code translate="no" className="min-w-0 font-mono text-small [overflow-wrap:anywhere]">
            {secret}
          </code>
          <CopyButton text={secret.replaceAll(" ", "")} label={t("account.codes.copySecret")} />
        </div>
        <a
          href={uri}
          className="inline-flex min-h-6 items-center self-start text-small text-brand underline"
        >
          {t("account.codes.openApp")}
        </a>
      </div>
    </div>
  );
}

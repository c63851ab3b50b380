"use client";

import {
  confirmedCodesSchema,
  turnedOffSchema,
  type BegunCodes,
  begunCodesSchema,
} from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { ConfirmCodesForm } from "./confirm-codes-form";
import { CheckedPasswordField } from "@/components/forms/password-field";
import { AccountForm } from "./account-form";
import { type ComponentProps, useEffect, useRef } from "react";
import { CodeField } from "./code-field";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { usePageLeft } from "@/components/ui/use-page-left";

export type CodesDone = "setUp" | "renewed" | "turnedOff";

export type CodesStepState =
  | { kind: "begin" }
  | { kind: "confirm"; begun: BegunCodes }
  | { kind: "renew" }
  | { kind: "keep"; recoveryCodes: readonly string[]; after: "setUp" | "renewed" }
  | { kind: "turnOff" };

type CodesStepProps = {
  step: CodesStepState;
  onGo: (next: CodesStepState) => void;
  /** Null: nothing changed. */
  onLeave: (done: CodesDone | null) => void;
};

/** One step of setting one-time codes up, renewing recovery codes, or turning codes off. */
export function CodesStep({ step, onGo, onLeave }: CodesStepProps) {
  const t = useTranslations("account.codes");
  const onCancel = () => onLeave(null);
  switch (step.kind) {
    case "begin":
      return (
        <BeginCodesForm onBegun={(begun) => onGo({ kind: "confirm", begun })} onCancel={onCancel} />
      );
    case "confirm":
      return (
        <ConfirmCodesForm
          begun={step.begun}
          onConfirmed={(recoveryCodes) => onGo({ kind: "keep", recoveryCodes, after: "setUp" })}
          onCancel={onCancel}
        />
      );
    case "renew":
      return (
        <BothProofsForm
          request={{ path: "recovery-codes" }}
          answer={confirmedCodesSchema}
          text={t("renewText")}
          submit={{ label: t("renew"), variant: "primary" }}
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
        <BothProofsForm
          request={{ path: "one-time-codes", method: "DELETE" }}
          answer={turnedOffSchema}
          text={t("turnOffText")}
          submit={{ label: t("turnOff"), variant: "danger" }}
          onDone={() => onLeave("turnedOff")}
          onCancel={onCancel}
        />
      );
  }
}

type BeginCodesFormProps = { onBegun: (begun: BegunCodes) => void; onCancel: () => void };

/** The password again: an open session alone must not set up what would keep its person out. */
function BeginCodesForm({ onBegun, onCancel }: BeginCodesFormProps) {
  const t = useTranslations("account.codes");
  return (
    <AccountForm
      request={{ path: "one-time-codes" }}
      answer={begunCodesSchema}
      fields={["password"]}
      submit={{ label: t("continue"), variant: "primary" }}
      onDone={onBegun}
      onCancel={onCancel}
      className="max-w-md"
    >
      {(codeOf) => (
        <CheckedPasswordField
          label={t("password")}
          autoComplete="current-password"
          code={codeOf("password")}
        />
      )}
    </AccountForm>
  );
}

type BothProofsFormProps<Answer> = Omit<
  ComponentProps<typeof AccountForm<"password" | "code", Answer>>,
  "fields" | "children" | "className"
> & {
  /** The state after it. */
  text: string;
};

/** For changes that take both proofs of sign-in. */
function BothProofsForm<Answer>({ text, ...form }: BothProofsFormProps<Answer>) {
  const t = useTranslations("account.codes");
  return (
    <AccountForm {...form} fields={["password", "code"]} className="max-w-md">
      {(codeOf) => (
        <>
          <p className="text-pretty text-ink-2">{text}</p>
          <CheckedPasswordField
            label={t("password")}
            autoComplete="current-password"
            code={codeOf("password")}
          />
          <CodeField letters label={t("anyCode")} code={codeOf("code")} />
        </>
      )}
    </AccountForm>
  );
}

type RecoveryCodesProps = {
  codes: readonly string[];
  /** What the person just did. */
  after: "setUp" | "renewed";
  onKept: () => void;
};

/** The recovery codes, shown this once: nobody can read them again. */
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
        {t(`account.codes.keep.${after}`)} {t("account.codes.keep.text")}
      </Notice>
      <div className="flex max-w-md items-start justify-between gap-2 rounded-control border border-line bg-sunken p-3">
        <ul
          aria-label={t("account.codes.keep.list")}
          className="grid gap-x-8 gap-y-1 font-mono text-small sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join("\n")} label={t("account.codes.keep.copy")} />
      </div>
      <Button variant="primary" className="self-start" onClick={onKept}>
        {t("account.codes.keep.done")}
      </Button>
    </div>
  );
}

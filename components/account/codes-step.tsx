"use client";

import {
  confirmedCodesSchema,
  turnedOffSchema,
  type BegunCodes,
  begunCodesSchema,
} from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { ConfirmCodesForm } from "./confirm-codes-form";
import { RecoveryCodes } from "./recovery-codes";
import { CheckedPasswordField } from "@/components/forms/password-field";
import { AccountForm } from "./account-form";
import type { ComponentProps } from "react";
import { CodeField } from "./code-field";

export type CodesDone = "setUp" | "renewed" | "turnedOff";

export type Doing =
  | { kind: "begin" }
  | { kind: "confirm"; begun: BegunCodes }
  | { kind: "renew" }
  | { kind: "keep"; recoveryCodes: readonly string[]; after: "setUp" | "renewed" }
  | { kind: "turnOff" };

type CodesStepProps = {
  doing: Doing;
  onGo: (next: Doing) => void;
  /** Null where it was left as it is. */
  onLeave: (done: CodesDone | null) => void;
};

/** One step of setting one-time codes up, renewing recovery codes, or turning codes off. */
export function CodesStep({ doing, onGo, onLeave }: CodesStepProps) {
  const t = useTranslations("account.codes");
  const onCancel = () => onLeave(null);
  switch (doing.kind) {
    case "begin":
      return (
        <BeginCodesForm onBegun={(begun) => onGo({ kind: "confirm", begun })} onCancel={onCancel} />
      );
    case "confirm":
      return (
        <ConfirmCodesForm
          begun={doing.begun}
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
          codes={doing.recoveryCodes}
          after={doing.after}
          onKept={() => onLeave(doing.after)}
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

/** The password again: an open session alone sets up nothing that would keep its person out. */
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
  /** What comes of it. */
  text: string;
};

/** For what takes both that signing in takes. */
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

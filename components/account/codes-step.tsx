"use client";

import {
  confirmedCodesSchema,
  turnedOffSchema,
  type BegunCodes,
} from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { BeginCodesForm } from "./begin-codes-form";
import { BothProofsForm } from "./both-proofs-form";
import { ConfirmCodesForm } from "./confirm-codes-form";
import { RecoveryCodes } from "./recovery-codes";

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

"use client";

import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import {
  readProofOptions,
  proveWithPasskey,
  proveWithPassword,
  type ProofAnswer,
} from "@/lib/account/client/prove";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ProofFailure, StepUpForm, type StepUpWays } from "./step-up-form";

type StepUpQuestionProps = {
  /** The one method that is enough; left out: any that the person has. */
  method: "passkey" | undefined;
  /** The label of the button that goes on. */
  goOn?: string;
  /** `given`: they proved it, and what they were about to do may go on. */
  onEnd: (given: boolean) => void;
};

/** Asks for a proof of identity, on top of what the person was about to do. */
export function StepUpDialog(props: StepUpQuestionProps) {
  const t = useTranslations("shell.stepUp");
  return (
    <Dialog
      title={t("title")}
      description={t(props.method ? "introPasskey" : "intro")}
      onClose={() => props.onEnd(false)}
    >
      <StepUpQuestion {...props} />
    </Dialog>
  );
}

/** The same in a dialog that has another title. */
export function StepUpQuestion({ method, goOn, onEnd }: StepUpQuestionProps) {
  const t = useTranslations();
  const [ways, setWays] = useState<StepUpWays | null>(null);
  const [failed, setFailed] = useState<ProofAnswer | null>(null);
  const { pending, answer, send } = useApiMutation((prove: () => Promise<ProofAnswer>) => prove());

  useEffect(() => {
    let isOpen = true;
    void readProofOptions().then((options) => {
      if (!isOpen) return;
      if ("failure" in options) setFailed({ kind: "failed", failure: options.failure });
      else
        setWays({
          password: options.password && method === undefined,
          passkey: options.passkey !== null,
        });
    });
    return () => {
      isOpen = false;
    };
  }, [method]);

  // Elements that were not there yet when the dialog opened.
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ways) body.current?.querySelector<HTMLElement>("input, [data-proves]")?.focus();
  }, [ways]);

  async function prove(proof: () => Promise<ProofAnswer>) {
    const proved = await send(proof);
    if (proved?.kind === "given") onEnd(true);
  }

  return (
    <>
      {failed ? <ProofFailure answer={failed} /> : null}
      {!ways && !failed ? <Skeleton className="h-9 w-full" /> : null}
      {ways ? (
        <div ref={body}>
          <StepUpForm
            ways={ways}
            refused={answer}
            pending={pending}
            words={{
              password: t("shell.stepUp.password"),
              hint: t("shell.stepUp.hint"),
              missing: t("shell.stepUp.missing"),
              wrong: t("shell.stepUp.wrong"),
              submit: goOn ?? t("shell.stepUp.submit"),
              asking: t("shell.stepUp.asking"),
            }}
            notice={answer ? <ProofFailure answer={answer} /> : null}
            onPassword={(typed = "") => void prove(() => proveWithPassword(typed))}
            onPasskey={() => void prove(proveWithPasskey)}
            onCancel={() => onEnd(false)}
          />
        </div>
      ) : null}
    </>
  );
}

"use client";

import { CaptureStart } from "@/components/capture/capture-start";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import { useHere } from "@/components/layout/here";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Code } from "@/components/receiver-kit/code";
import { Handlers } from "@/components/receiver-kit/handlers";
import { ButtonLink } from "@/components/ui/button-link";
import { Hint } from "@/components/ui/hint";
import { Sentences } from "@/components/ui/sentences";
import { RelativeTime } from "@/components/ui/time";
import { EditButton } from "@/components/webhooks/list/edit-button";
import { listOf } from "@/components/webhooks/types-list";
import { environmentLine } from "@/lib/receiver-kit/model/environment-line";
import { useNewSecret } from "@/lib/webhooks/client/new-secret";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { Info } from "lucide-react";
import { useTranslations } from "next-intl";
import { Path, Step, type StepState } from "./path";
import { Proof, useProof } from "./proof";

type FirstHourProps = {
  configuration: Configuration;
  endpointChecks: EndpointChecks;
  /** What the operator adds for developers. */
  receiverNote: string | null;
  mayWrite: boolean;
  /** The person may switch on an address of the dashboard's own. */
  maySwitch: boolean;
  /** Production, where nothing is registered yet either. */
  next: string | null;
};

/** Four steps from a connected environment to a receiver that is proven for both types. */
export function FirstHour(props: FirstHourProps) {
  const { configuration, endpointChecks, receiverNote, mayWrite, maySwitch, next } = props;
  const t = useTranslations("firstHour");
  const nameOf = useEnvironmentName();
  const { ref } = useHere();
  const missing = webhookTypes.filter((type) => !webhookOf(configuration, type));
  const isRegistered = missing.length < webhookTypes.length;
  const { secret, putInPlace } = useNewSecret(ref, isRegistered);
  const proof = useProof(configuration, endpointChecks);
  const isInPlace = isRegistered
    ? configuration.webhooks.every(({ authorization }) => authorization.set)
    : secret?.isInPlace === true;
  const stateOf = (isDone: boolean, isReached: boolean): StepState =>
    isDone ? "done" : isReached ? "current" : "ahead";
  return (
    <Path next={next}>
      <Step
        number={1}
        state="done"
        title={t("connect.done")}
        text={
          <Sentences
            of={[
              t.rich("connect.doneText", {
                time: () => <RelativeTime at={configuration.confirmedAt} />,
              }),
            ]}
          />
        }
      />
      <Step
        number={2}
        state={stateOf(isInPlace, true)}
        title={t("secret.title")}
        text={t("secret.text")}
        actions={
          isInPlace || isRegistered ? null : (
            <EditButton
              variant="primary"
              opens={{ mode: "register", type: "both" }}
              onOpen={putInPlace}
            >
              {t("secret.ready")}
            </EditButton>
          )
        }
      >
        {mayWrite && !isRegistered ? (
          <>
            <Code
              unnamed
              name={t("secret.line")}
              copyLabel={t("secret.copyLine")}
              text={lineOf(secret?.value)}
            />
            <p className="text-small text-ink-2">{t("secret.kept")}</p>
            {receiverNote === null ? null : <Hint icon={Info}>{receiverNote}</Hint>}
            <Handlers className="max-h-60" />
          </>
        ) : null}
      </Step>
      <RegisterStep
        configuration={configuration}
        state={stateOf(missing.length === 0, isInPlace || isRegistered)}
        missing={missing}
        maySwitch={maySwitch}
      />
      <Step
        number={4}
        state={stateOf(proof.isProven, isRegistered)}
        title={t("proof.title")}
        text={endpointChecks || !isRegistered ? t("proof.text") : t("proof.off")}
        actions={
          proof.isProven && next !== null ? (
            <ButtonLink variant="primary" href={`/partners/${ref.partner}/${next}/webhooks`}>
              {t("proof.next", { environment: nameOf(next) })}
            </ButtonLink>
          ) : (
            proof.button
          )
        }
      >
        {isRegistered && endpointChecks ? <Proof proof={proof} /> : null}
      </Step>
    </Path>
  );
}

/** As long without the secret, so that nothing moves when it is there. */
function lineOf(secret: string | undefined): string {
  const line = secret === undefined ? null : environmentLine("PIX_AUTHORIZATION", secret);
  return line ?? `PIX_AUTHORIZATION="Bearer ${"•".repeat(43)}"`;
}

type RegisterStepProps = {
  configuration: Configuration;
  state: StepState;
  missing: readonly (typeof webhookTypes)[number][];
  maySwitch: boolean;
};

/** The address, which the sheet asks for: once the receiver is ready, with its secret filled in. */
function RegisterStep({ configuration, state, missing, maySwitch }: RegisterStepProps) {
  const t = useTranslations("firstHour.register");
  const all = useTranslations();
  const waits = (configuration.proposals ?? []).length > 0;
  return (
    <Step
      number={3}
      state={state}
      title={t(state === "done" ? "done" : "title")}
      text={
        waits
          ? t("waits")
          : missing.length === 1
            ? t("rest", { types: listOf(missing, all) })
            : t(state === "done" ? "doneText" : "text")
      }
      actions={
        missing.length > 1 && !waits ? (
          <>
            {maySwitch ? <CaptureStart /> : null}
            {state === "current" ? (
              <EditButton variant="primary" opens={{ mode: "register", type: "both" }}>
                {t("button")}
              </EditButton>
            ) : null}
          </>
        ) : null
      }
    />
  );
}

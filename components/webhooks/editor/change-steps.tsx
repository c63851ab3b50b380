"use client";

import { TypedCheck } from "@/components/endpoint-check/typed-check";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime } from "@/components/ui/time";
import { replacedValuesQuery } from "@/lib/endpoint-check/client/query";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { Draft } from "@/lib/webhooks/model/draft";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import type { TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { typesOf, type WebhookType } from "@/lib/webhooks/model/types";
import { useQuery } from "@tanstack/react-query";
import { Check, ExternalLink, Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AuthorizationValueField } from "./authorization-field";
import type { WebhookForm } from "./use-webhook-sheet";

type ChangeStepsProps = {
  form: WebhookForm;
  draft: Draft;
  base: Configuration;
  environmentRef: { partner: string; environment: string };
  policy: TargetPolicy;
  demo: boolean;
  readOnly: boolean;
  /** The receiver has accepted a message with this very value at this address. */
  accepted: boolean;
  onAccepted: (draft: Draft) => void;
  /** Opens the last step of an earlier change. */
  onCheckOld: (types: readonly WebhookType[]) => void;
  /** What the save will do, and the id that describes its button. */
  saveEffect: ReactNode;
  saveHintId: string;
};

/**
 * Leads from one Authorization value to the next without a refused message in between. The current step follows from
 * the value in the field, its check, what is registered, and what the history proves.
 */
export function ChangeSteps({
  form,
  draft,
  base,
  environmentRef,
  accepted,
  saveEffect,
  saveHintId,
  ...rest
}: ChangeStepsProps) {
  const t = useTranslations("webhooks.change");
  const { value } = draft.authorization;
  const hasValue = checkAuthorizationValue(value).ok;
  const badAddress = form.formState.errors.url !== undefined;
  return (
    <div className="flex flex-col gap-5">
      <Unfinished
        environmentRef={environmentRef}
        draft={draft}
        // The typed text would be lost without a word.
        onCheckOld={form.formState.isDirty ? null : rest.onCheckOld}
      />
      {badAddress ? (
        <Notice tone="bad" role="alert" title={t("badAddress")}>
          {t("badAddressText")}
        </Notice>
      ) : null}
      <ol className="flex flex-col gap-6">
        <Step number={1} done={hasValue} title={t("generate.title")}>
          <AuthorizationValueField form={form} value={value} readOnly={rest.readOnly} />
          <p className="text-small text-ink-2">{t("generate.notKept")}</p>
        </Step>
        <Step number={2} done={accepted} title={t("both.title")}>
          <p className="text-ink-2">{t("both.text")}</p>
          <ButtonLink
            size="sm"
            icon={<ExternalLink aria-hidden />}
            href={`/partners/${environmentRef.partner}/${environmentRef.environment}/receiver-kit`}
            target="_blank"
            prefetch={false}
          >
            {t("both.kit")}
          </ButtonLink>
        </Step>
        <Step number={3} done={accepted} title={t("check.title")}>
          {hasValue ? (
            <div className="w-full pt-3">
              <TypedCheck
                environmentRef={environmentRef}
                draft={draft}
                base={base}
                policy={rest.policy}
                demo={rest.demo}
                onAccepted={rest.onAccepted}
              />
            </div>
          ) : (
            <p className="text-ink-2">{t("check.first")}</p>
          )}
        </Step>
        <Step number={4} done={false} title={t("save.title")}>
          <p id={saveHintId} className="text-ink-2">
            {t(accepted ? "save.text" : "save.locked")}
          </p>
          {saveEffect}
        </Step>
        <Step number={5} done={false} title={t("old.title")}>
          <p className="text-ink-2">{t("old.text")}</p>
        </Step>
      </ol>
    </div>
  );
}

type StepProps = { number: number; done: boolean; title: string; children: ReactNode };

function Step({ number, done, title, children }: StepProps) {
  const t = useTranslations("webhooks.change");
  return (
    <li className="flex items-start gap-3">
      <span
        aria-hidden
        className={cn(
          "mt-px inline-flex size-6 shrink-0 items-center justify-center rounded-full text-small font-semibold [&>svg]:size-3.5",
          done ? "bg-ok-soft text-ok" : "bg-sunken text-ink-2",
        )}
      >
        {done ? <Check /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2 *:max-w-full">
        <h3 className="font-semibold">
          {title} {done ? <span className="sr-only">({t("done")})</span> : null}
        </h3>
        <div className="flex w-full min-w-0 flex-col items-start gap-2 *:max-w-full [&>div]:w-full [&>section]:w-full">
          {children}
        </div>
      </div>
    </li>
  );
}

type UnfinishedProps = Pick<ChangeStepsProps, "environmentRef" | "draft"> & {
  onCheckOld: ChangeStepsProps["onCheckOld"] | null;
};

/** A change without its last step: the old value may still be good for a forged message. */
function Unfinished({ environmentRef, draft, onCheckOld }: UnfinishedProps) {
  const t = useTranslations("webhooks.change.unfinished");
  const { data } = useQuery(replacedValuesQuery(environmentRef));
  const open = (data?.replaced ?? []).filter(
    ({ type, refused }) => refused === null && typesOf(draft.type).includes(type),
  );
  const [first] = open;
  if (!first) return null;
  return (
    <Notice
      tone="info"
      icon={<Hourglass aria-hidden />}
      title={t("title")}
      actions={
        onCheckOld ? (
          <Button size="sm" onClick={() => onCheckOld(open.map(({ type }) => type))}>
            {t("button")}
          </Button>
        ) : null
      }
    >
      {t.rich("text", { time: () => <AbsoluteTime at={first.at} /> })}
    </Notice>
  );
}

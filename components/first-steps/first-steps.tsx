"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { lastChecksQuery } from "@/lib/endpoint-check/client/query";
import { useDismissFirstSteps } from "@/lib/first-steps/client/use-dismiss-first-steps";
import {
  areOpen,
  type Facts,
  type FirstStep,
  type FirstStepsContext,
  type StepName,
  type StepState,
  stepsOf,
} from "@/lib/first-steps/model/steps";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleCheck, CircleDashed, CircleHelp } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";

type FirstStepsProps = Pick<Facts, "configuration" | "problem"> & {
  environmentRef: { partner: string; environment: string };
  context: FirstStepsContext;
  role: "viewer" | "editor" | "admin";
  /** Whether endpoints are checked here. */
  withChecks: boolean;
};

/**
 * What a new partner has to do, ticked off by what exists. Open while nothing is registered; afterwards one line that
 * opens.
 */
export function FirstSteps({
  environmentRef,
  context,
  role,
  withChecks,
  ...facts
}: FirstStepsProps) {
  const t = useTranslations("webhooks.steps");
  const headingId = useId();
  const listId = useId();
  const { data } = useQuery({ ...lastChecksQuery(environmentRef), enabled: false });
  const { pending, failure, send } = useDismissFirstSteps(environmentRef);
  const [away, setAway] = useState(false);
  const begins = !facts.configuration || facts.configuration.webhooks.length === 0;
  const [unfolded, setUnfolded] = useState<boolean | null>(null);
  const open = unfolded ?? begins;

  const checks = withChecks ? (data?.checks ?? []) : null;
  const steps = stepsOf({ ...facts, checks, admins: context.admins });
  const left = steps.filter(({ state }) => state === "open").length;

  async function put(next: boolean) {
    const answer = await send({ away: next });
    if (answer?.kind === "done") setAway(next);
  }

  return (
    <Card aria-labelledby={headingId}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("title")}
        </h2>
        <p className="min-w-0 flex-1 basis-40 text-small text-ink-2" aria-live="polite">
          {away
            ? t("away")
            : areOpen(steps)
              ? t("left", { count: left, all: steps.length })
              : t("allDone")}
        </p>
        {away ? null : (
          <Button
            size="sm"
            variant="ghost"
            icon={<ChevronDown aria-hidden className={cn(open && "rotate-180")} />}
            aria-expanded={open}
            aria-controls={open ? listId : undefined}
            onClick={() => setUnfolded(!open)}
          >
            {t(open ? "fold" : "unfold")}
          </Button>
        )}
        <Button size="sm" variant="ghost" pending={pending} onClick={() => void put(!away)}>
          {t(away ? "bringBack" : "putAway")}
        </Button>
      </div>
      <FailureNotice
        failure={failure}
        unreachable={t("unreachable")}
        className="mx-4 mb-3 sm:mx-5"
      />
      {open && !away ? (
        <ol
          id={listId}
          aria-labelledby={headingId}
          className="flex flex-col divide-y divide-line border-t border-line px-4 sm:px-5"
        >
          {steps.map((one) => (
            <Step key={one.step} {...one} mayDo={mayDo(role, one.step)}>
              <Details
                {...one}
                environmentRef={environmentRef}
                context={context}
                role={role}
                problem={facts.problem}
              />
            </Step>
          ))}
        </ol>
      ) : null}
    </Card>
  );
}

/** Connecting, allowing and inviting take an admin; anybody who may save can do the rest. */
function mayDo(role: FirstStepsProps["role"], step: StepName): boolean {
  return isAdmins(step) ? role === "admin" : role !== "viewer";
}

function isAdmins(step: StepName): boolean {
  return step === "connect" || step === "allow" || step === "admin";
}

const marks: Record<StepState, { icon: typeof CircleCheck; style: string }> = {
  done: { icon: CircleCheck, style: "text-ok" },
  open: { icon: CircleDashed, style: "text-ink-2" },
  unknown: { icon: CircleHelp, style: "text-ink-2" },
};

type StepProps = FirstStep & { mayDo: boolean; children: ReactNode };

function Step({ step, state, mayDo, children }: StepProps) {
  const t = useTranslations("webhooks.steps");
  const { icon: Icon, style } = marks[state];
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", style)} />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1 [overflow-wrap:anywhere]">
        <p className={state === "done" ? "text-ink-2" : "font-semibold"}>
          {t(`${step}.title`)} <span className="sr-only">({t(`states.${state}`)})</span>
        </p>
        {state === "done" ? null : children}
        {state === "open" && !mayDo ? (
          <p className="text-small text-ink-2">{t(isAdmins(step) ? "byAdmin" : "byEditor")}</p>
        ) : null}
      </div>
    </li>
  );
}

type DetailsProps = FirstStep &
  Pick<FirstStepsProps, "environmentRef" | "context" | "role"> & { problem: string | null };

/** How to do it, for a step that is still open. */
function Details({ step, state, environmentRef, context, role, problem }: DetailsProps) {
  const t = useTranslations("webhooks.steps");
  const text = (children: ReactNode) => <p className="text-small text-ink-2">{children}</p>;
  const { publicAddress, invited } = context;
  switch (step) {
    case "connect":
      return text(t(problem === "credentials_rejected" ? "connect.rejected" : "connect.text"));
    case "allow":
      return publicAddress === null ? (
        text(t("allow.textUnknown"))
      ) : (
        <>
          {text(t("allow.text"))}
          <span className="flex items-center gap-1">
            <code className="font-mono text-small">{publicAddress}</code>
            <CopyButton text={publicAddress} label={t("allow.copy")} />
          </span>
        </>
      );
    case "register":
      return text(t("register.text"));
    case "value":
      return text(t(state === "unknown" ? "value.unknown" : "value.text"));
    case "check":
      return (
        <>
          {text(t("check.text"))}
          <ButtonLink
            size="sm"
            href={`/partners/${environmentRef.partner}/${environmentRef.environment}/receiver-kit`}
            prefetch={false}
          >
            {t("check.kit")}
          </ButtonLink>
        </>
      );
    case "admin":
      return (
        <>
          {text(invited > 0 ? t("admin.invited", { count: invited }) : t("admin.text"))}
          {role === "admin" ? (
            <ButtonLink
              size="sm"
              href={`/partners/${environmentRef.partner}/team`}
              prefetch={false}
            >
              {t(invited > 0 ? "admin.look" : "admin.invite")}
            </ButtonLink>
          ) : null}
        </>
      );
  }
}

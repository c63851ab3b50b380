"use client";

import { useHere } from "@/components/layout/here";
import { cn } from "@/components/ui/cn";
import { Sentences } from "@/components/ui/sentences";
import { ShortTime } from "@/components/ui/time";
import { listOf } from "@/components/webhooks/types-list";
import type { AttentionItem, IncidentSteps } from "@/lib/attention/model/answer";
import { stepsDone } from "@/lib/attention/model/tone";
import { typesOf, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { Circle, CircleCheck, CircleDot, ShieldAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import Link from "next/link";
import { AttentionRow } from "@/components/attention/attention-row";

// Its form library is loaded once the other steps are done.
const CloseIncident = dynamic(() =>
  import("./close-incident").then((module) => module.CloseIncident),
);

type IncidentProps = {
  types: readonly WebhookType[];
  steps: IncidentSteps;
  /** The types whose value in use is exposed. */
  exposed: readonly WebhookType[];
  configuration: Configuration;
  mayConnect: boolean;
};

/** The four steps of an incident, ticked from facts. */
export function IncidentStepList(props: IncidentProps) {
  const { types, steps, exposed, configuration, mayConnect } = props;
  const t = useTranslations();
  const format = useFormatter();
  const { ref } = useHere();
  const waiting = configuration.proposals?.find(({ type }) =>
    typesOf(type).some((each) => types.includes(each)),
  );
  const approvers = (waiting?.approvers ?? []).map(({ name }) => name);
  const restored = t("attention.steps.restored", { types: listOf(types, t) });
  const all = [
    {
      name: "restored",
      done: steps.restored,
      text:
        !steps.restored && approvers.length > 0
          ? t("attention.steps.waits", {
              step: restored,
              names: format.list(approvers.slice(0, 2), { type: "disjunction" }),
            })
          : restored,
    },
    {
      name: "replaced",
      done: steps.replaced,
      text:
        exposed.length > 1
          ? t("attention.steps.replacedBoth")
          : exposed.length > 0
            ? t("attention.steps.replacedFor", { types: listOf(exposed, t) })
            : t("attention.steps.replaced"),
    },
    {
      name: "credentials",
      done: steps.credentials,
      text: t("attention.steps.credentials"),
      href: mayConnect ? `/partners/${ref.partner}/${ref.environment}/connection?replace` : null,
    },
    { name: "note", done: false, text: t("attention.steps.note") },
  ];
  const next = all.find(({ done }) => !done)?.name;
  return (
    <ol
      aria-label={t("attention.steps.label")}
      className="grid gap-2 sm:grid-cols-2 xl:grid-cols-4"
    >
      {all.map(({ name, done, text, href }) => {
        const Icon = done ? CircleCheck : name === next ? CircleDot : Circle;
        return (
          <li
            key={name}
            aria-current={name === next ? "step" : undefined}
            className={cn(
              "flex items-start gap-2 rounded-control border px-3 py-2 text-small",
              name === next ? "border-brand text-ink" : "border-line text-ink-2",
            )}
          >
            <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", done && "text-ok")} />
            <span>
              {href && !done ? (
                <Link
                  href={href}
                  prefetch={false}
                  className="-my-0.5 inline-flex min-h-6 items-center underline underline-offset-2"
                >
                  {text}
                </Link>
              ) : (
                text
              )}
            </span>
            <span className="sr-only">
              {t(done ? "attention.steps.done" : "attention.steps.open")}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

type RecoveringRowProps = Omit<IncidentProps, "types" | "steps"> & {
  item: Extract<AttentionItem, { kind: "recovering" }>;
  mayWrite: boolean;
};

/** An incident whose difference is gone, until its steps are done and somebody has written what happened. */
export function RecoveringRow({ item, mayWrite, ...rest }: RecoveringRowProps) {
  const t = useTranslations();
  const { types, steps, since } = item;
  const done = stepsDone(steps);
  return (
    <AttentionRow
      icon={ShieldAlert}
      tone="warn"
      title={t("attention.rows.recovering", { types: listOf(types, t), done })}
      text={
        <Sentences
          of={[t.rich("attention.rows.recoveringText", { since: () => <ShortTime at={since} /> })]}
        />
      }
    >
      <IncidentStepList {...rest} types={types} steps={steps} />
      {mayWrite && done === Object.keys(steps).length ? <CloseIncident /> : null}
    </AttentionRow>
  );
}

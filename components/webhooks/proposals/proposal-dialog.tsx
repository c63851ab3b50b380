"use client";

import { PasskeyNotice } from "@/components/account/step-up-form";
import { DecisionDialog } from "@/components/approvals/decision-dialog";
import { Notice } from "@/components/ui/notice";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { type DecisionAnswer, useDecision } from "@/lib/webhooks/client/decision";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { approvalKeys } from "@/lib/approvals/client/ended-query";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { findEditButton } from "@/components/webhooks/list/find-button";
import { ProblemText } from "@/components/forms/failure-notice";
import { type Done, TypeOutcomes } from "@/components/webhooks/editor/saved-notice";
import { changedParts } from "@/lib/webhooks/model/compare";
import { type ProposalVersions, proposalVersionsOf } from "@/lib/webhooks/model/proposals/versions";
import { typesOf, type WebhookType } from "@/lib/webhooks/model/types";
import { KeyRound, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { Address } from "@/components/webhooks/compare/address";

type ProposalDialogProps = {
  proposal: Proposal;
  decision: Decision["decision"];
  configuration: Configuration;
  environmentRef: { partner: string; environment: string };
  onDone: (done: Done) => void;
  onClose: () => void;
};

/** Confirms a decision about a proposed change of webhooks, and makes it. */
export function ProposalDialog({
  proposal,
  decision,
  configuration,
  environmentRef,
  onDone,
  onClose,
}: ProposalDialogProps) {
  const t = useTranslations();
  const decide = useDecision(environmentRef, proposal.id);
  const client = useQueryClient();
  const words = `webhooks.proposal.dialogs.${decision}` as const;
  const types = t(`webhooks.typesList.${proposal.type}`);
  return (
    <DecisionDialog
      decision={decision}
      title={t(`${words}.title`, { types })}
      text={t(`${words}.text`, { name: proposal.by.name })}
      confirmLabel={t(`${words}.confirm`)}
      progress={t("webhooks.proposal.saving")}
      author={proposal.by.name}
      onClose={onClose}
      returnTo={() => findEditButton(proposal.type === "both" ? "pix_in" : proposal.type)}
      decide={async (body, sign) => {
        const answer = await decide(body, sign);
        void client.invalidateQueries({ queryKey: approvalKeys.waiting(environmentRef) });
        if (answer.kind === "no_passkey")
          return {
            unsigned: <PasskeyNotice why={answer.why} />,
            goOn: t("webhooks.proposal.withoutPasskey"),
          };
        if (answer.kind === "done") onDone(answer.result);
        else if (answer.kind !== "ended") return <Failed answer={answer} />;
        else if (decision !== "approve") onDone({ outcome: decision });
        return null;
      }}
    >
      {decision === "approve" ? (
        <ProposalComparison configuration={configuration} proposal={proposal} />
      ) : null}
    </DecisionDialog>
  );
}

type Failure = Extract<DecisionAnswer, { kind: "not_done" | "refused" | "unsent" | "lost" }>;

function Failed({ answer }: { answer: Failure }) {
  const t = useTranslations("webhooks");
  if (answer.kind === "refused")
    return (
      <Notice role="alert" tone="bad" title={t("proposal.failed")}>
        <ProblemText problem={answer.problem} />
      </Notice>
    );
  if (answer.kind === "unsent")
    return (
      <Notice role="alert" tone="bad" title={t("proposal.failed")}>
        <p>{t("proposal.unsent")}</p>
      </Notice>
    );
  if (answer.kind === "lost")
    return (
      <Notice role="alert" tone="warn" title={t("result.unknown")}>
        {answer.problem ? <ProblemText problem={answer.problem} /> : null}
        <p>{t("proposal.noAnswer")}</p>
      </Notice>
    );
  const { result, problem } = answer;
  return (
    <Notice
      role="alert"
      tone={result.outcome === "not_saved" ? "bad" : "warn"}
      title={t(`result.${result.outcome}`)}
    >
      <TypeOutcomes results={result.results} />
      <ProblemText problem={problem} />
    </Notice>
  );
}

type ProposalComparisonProps = { configuration: Configuration; proposal: Proposal };

/**
 * What an approval changes, type by type: before and after, the host large enough to be read twice, and what becomes of
 * the Authorization value. The approver answers for this.
 */
export function ProposalComparison({ configuration, proposal }: ProposalComparisonProps) {
  return (
    <div className="flex flex-col gap-4">
      {typesOf(proposal.type).map((type) => (
        <ComparedType
          key={type}
          type={type}
          proposal={proposal}
          versions={proposalVersionsOf(configuration, proposal, type)}
        />
      ))}
    </div>
  );
}

type ComparedTypeProps = { type: WebhookType; proposal: Proposal; versions: ProposalVersions };

function ComparedType({ type, proposal, versions }: ComparedTypeProps) {
  const t = useTranslations("webhooks");
  const headingId = useId();
  const { now, after, moves } = versions;
  const [from, to] = changedParts(now?.url ?? "", after.url);
  const fate = fateOf(proposal, versions);
  const warns = ["sentElsewhere", "removed", "sentWithout"].includes(fate);
  const Icon = warns ? TriangleAlert : KeyRound;
  return (
    <section
      aria-labelledby={headingId}
      className="overflow-hidden rounded-control border border-line"
    >
      <h3
        id={headingId}
        className="border-b border-line bg-sunken px-3 py-1.5 text-small font-medium text-ink-2"
      >
        {t(`types.${type}`)}
      </h3>
      <dl className="divide-y divide-line">
        <div className="flex flex-col gap-0.5 px-3 py-2">
          <dt className="text-small text-ink-3">{t("proposal.compare.before")}</dt>
          {now ? (
            <LargeAddress url={now.url} part={from} />
          ) : (
            <dd className="text-ink-2">{t("conflict.notRegistered")}</dd>
          )}
        </div>
        <div className="flex flex-col gap-0.5 bg-brand-soft px-3 py-2">
          <dt className="text-small">{t("proposal.compare.after")}</dt>
          {now?.url === after.url ? (
            <dd>{t("proposal.compare.sameAddress")}</dd>
          ) : (
            <LargeAddress url={after.url} part={now ? to : undefined} />
          )}
        </div>
        <div className="flex flex-col gap-0.5 px-3 py-2">
          <dt className="text-small text-ink-3">{t("card.authorization")}</dt>
          <dd className={`flex items-start gap-2 ${warns ? "text-warn" : ""}`}>
            <Icon aria-hidden className="mt-1 size-4 shrink-0" />
            {t(`proposal.compare.authorization.${fate}`, { name: proposal.by.name })}
          </dd>
        </div>
      </dl>
      {moves ? (
        <p className="flex items-start gap-2 border-t border-line px-3 py-2 text-warn">
          <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          {t("proposal.newOrigin")}
        </p>
      ) : null}
    </section>
  );
}

type LargeAddressProps = { url: string; part: ReturnType<typeof changedParts>[0] | undefined };

/** The host alone first: a forged address hides it in a long line. */
function LargeAddress({ url, part }: LargeAddressProps) {
  return (
    <dd className="flex min-w-0 flex-col">
      <span className="font-mono text-lg leading-7 font-semibold [overflow-wrap:anywhere]">
        {URL.canParse(url) ? new URL(url).host : url}
      </span>
      <span className="text-xs leading-5">
        <Address coloured url={url} part={part} />
      </span>
    </dd>
  );
}

type Fate = "sentElsewhere" | "stays" | "none" | "replaced" | "removed" | "sentWithout";

/** What becomes of the present value. */
function fateOf(
  { authorization }: Proposal,
  { now, moves, keeps }: Pick<ProposalVersions, "now" | "moves" | "keeps">,
): Fate {
  if (authorization === "replace") return "replaced";
  const isSet = now !== null && now.authorization.kind !== "unset";
  const isNotShown =
    now?.authorization.kind === "hidden" || now?.authorization.kind === "none_shown";
  if (authorization === "remove") return isNotShown ? "sentWithout" : isSet ? "removed" : "none";
  if (!keeps) return "none";
  return moves ? "sentElsewhere" : "stays";
}

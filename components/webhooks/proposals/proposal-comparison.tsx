"use client";

import { cn } from "@/components/ui/cn";
import { Hint } from "@/components/ui/hint";
import { Address, Host } from "@/components/webhooks/compare/address";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { changedParts } from "@/lib/webhooks/model/compare";
import { type ProposalVersions, proposalVersionsOf } from "@/lib/webhooks/model/proposals/versions";
import { typesOf, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { KeyRound, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";

type ProposalComparisonProps = { configuration: Configuration; proposal: Proposal };

/**
 * What an approval changes, type by type: the address before and after, and what happens to the Authorization value.
 * The approver is accountable for it, so the host is large.
 */
export function ProposalComparison({ configuration, proposal }: ProposalComparisonProps) {
  const types = typesOf(proposal.type);
  return (
    <div className="@container">
      <div className={cn("grid gap-4", types.length > 1 && "@2xl:grid-cols-2")}>
        {types.map((type) => (
          <ComparedType
            key={type}
            type={type}
            proposal={proposal}
            versions={proposalVersionsOf(configuration, proposal, type)}
          />
        ))}
      </div>
    </div>
  );
}

type ComparedTypeProps = {
  type: WebhookType;
  proposal: Proposal;
  versions: ProposalVersions;
};

function ComparedType({ type, proposal, versions }: ComparedTypeProps) {
  const t = useTranslations("webhooks");
  const headingId = useId();
  const { now, moves, mayHaveValue } = versions;
  const [from, to] = changedParts(now?.url ?? "", proposal.url);
  const fate = fateOf(proposal, versions);
  const warns = ["sentElsewhere", "exposed", "removed", "sentWithout"].includes(fate);
  const Icon = warns ? TriangleAlert : KeyRound;
  return (
    <section
      aria-labelledby={headingId}
      className="@container overflow-hidden rounded-control border border-line"
    >
      <h3
        id={headingId}
        className="border-b border-line bg-sunken px-3 py-1.5 text-small font-medium text-ink-2"
      >
        {t(`types.${type}`)}
      </h3>
      <dl className="grid @xl:grid-cols-2">
        <div className="flex flex-col gap-0.5 px-3 py-2">
          <dt className="text-small text-ink-3">{t("proposal.compare.before")}</dt>
          {now ? (
            <LargeAddress url={now.url} part={from} />
          ) : (
            <dd className="text-ink-2">
              {t(mayHaveValue ? "card.unclear" : "conflict.notRegistered")}
            </dd>
          )}
        </div>
        <div className="flex flex-col gap-0.5 border-t border-line bg-brand-soft px-3 py-2 @xl:border-t-0 @xl:border-l">
          <dt className="text-small">{t("proposal.compare.after")}</dt>
          {now?.url === proposal.url ? (
            <dd>{t("proposal.compare.sameAddress")}</dd>
          ) : (
            <LargeAddress url={proposal.url} part={now ? to : undefined} />
          )}
        </div>
        <div className="flex flex-col gap-0.5 border-t border-line px-3 py-2 @xl:col-span-2">
          <dt className="text-small text-ink-3">{t("card.authorization")}</dt>
          <dd className={`flex items-start gap-2 ${warns ? "text-warn" : ""}`}>
            <Icon aria-hidden className="mt-1 size-4 shrink-0" />
            <span>{t(`proposal.compare.authorization.${fate}`, { name: proposal.by.name })}</span>
          </dd>
        </div>
      </dl>
      {moves ? (
        <Hint tone="warn" icon={TriangleAlert} className="border-t border-line px-3 py-2">
          {t("proposal.newOrigin")}
        </Hint>
      ) : null}
    </section>
  );
}

type LargeAddressProps = { url: string; part: ReturnType<typeof changedParts>[0] | undefined };

/** Shows the host alone first, because a forged address hides it in a long line. */
function LargeAddress({ url, part }: LargeAddressProps) {
  return (
    <dd className="flex min-w-0 flex-col">
      <Host
        host={URL.canParse(url) ? new URL(url).host : url}
        className="text-lg leading-7 font-semibold"
      />
      <span className="text-xs leading-5">
        <Address coloured url={url} part={part} />
      </span>
    </dd>
  );
}

type Fate = "sentElsewhere" | "exposed" | "stays" | "none" | "replaced" | "removed" | "sentWithout";

/** What happens to the current Authorization value. */
function fateOf(
  { authorization }: Proposal,
  { now, moves, mayHaveValue, exposed }: ProposalVersions,
): Fate {
  if (authorization === "replace") return "replaced";
  if (!mayHaveValue) return "none";
  // It may be an item without a type.
  if (now === null) return "sentWithout";
  const isNotShown = ["masked", "none_shown"].includes(now.authorization.kind);
  if (authorization === "remove") return isNotShown ? "sentWithout" : "removed";
  return moves ? "sentElsewhere" : exposed ? "exposed" : "stays";
}

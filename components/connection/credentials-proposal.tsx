"use client";

import { Hint } from "@/components/ui/hint";
import { DecisionDialog } from "@/components/approvals/decision-dialog";
import { useHere } from "@/components/layout/here";
import { FailureNotice } from "@/components/forms/failure-notice";
import type { CredentialsProposal } from "@/lib/connection/model/connection";
import { useDecideCredentials } from "@/lib/connection/client/use-connection";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Saved } from "./saved";

/** What new credentials change. The client id comes first: it shows whose credentials these are. */
export function CredentialsComparison({ proposal }: { proposal: CredentialsProposal }) {
  const t = useTranslations("approvals.credentials");
  const problems = useTranslations("problems");
  const { clientIdBefore, clientId, secretReplaced, fault, by } = proposal;
  const id = "font-mono text-lg leading-7 font-semibold break-all";
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-control border border-line">
      <div className="flex flex-col gap-1 px-3 py-2">
        <dt className="text-small text-ink-3">{t("clientId")}</dt>
        {clientIdBefore === clientId ? (
          <dd className="[overflow-wrap:anywhere]">{t("same", { clientId })}</dd>
        ) : (
          <>
            <dd>
              <span className="text-small text-ink-2">{t("before")}</span>
              <span translate="no" className={`block ${id}`}>
                {clientIdBefore}
              </span>
            </dd>
            <dd>
              <span className="text-small text-ink-2">{t("after")}</span>
              <span translate="no" className={`block ${id}`}>
                {clientId}
              </span>
            </dd>
          </>
        )}
      </div>
      <div className="flex flex-col gap-1 px-3 py-2">
        <dt className="text-small text-ink-3">{t("clientSecret")}</dt>
        <dd>{secretReplaced ? t("secretReplaced", { name: by.name }) : t("secretKept")}</dd>
        {fault === null ? null : (
          <dd>
            <Hint tone="warn" icon={TriangleAlert}>
              {t("fault", { problem: problems(`${fault}.title`) })}
            </Hint>
          </dd>
        )}
      </div>
    </dl>
  );
}

type CredentialsDecisionProps = {
  proposal: CredentialsProposal;
  decision: Decision["decision"];
  onDone: (saved: Saved) => void;
  onClose: () => void;
};

/** Rendered beside the card, not in it: when another admin has already decided, the card is gone and this says so. */
export function CredentialsDecision(props: CredentialsDecisionProps) {
  const { decision, proposal, onDone, onClose } = props;
  const { partner, environment } = useHere().ref;
  const decide = useDecideCredentials(partner, environment);
  return (
    <DecisionDialog
      decision={decision}
      onClose={onClose}
      namespace="approvals.credentials.dialogs"
      author={proposal.by.name}
      decide={async (body) => {
        const answer = await decide(proposal.id, body);
        if (answer.kind === "done") {
          onDone(
            decision === "approve"
              ? { outcome: "saved", connection: answer.result, isFirst: false }
              : { outcome: decision },
          );
          return null;
        }
        return <FailureNotice failure={answer.failure} />;
      }}
    >
      {decision === "approve" ? <CredentialsComparison proposal={proposal} /> : null}
    </DecisionDialog>
  );
}

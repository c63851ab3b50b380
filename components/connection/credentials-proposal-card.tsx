"use client";

import { Hint } from "@/components/ui/hint";
import { DecisionDialog } from "@/components/approvals/decision-dialog";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Connection, CredentialsProposal } from "@/lib/connection/model/connection";
import { useDecideCredentials } from "@/lib/connection/client/use-connection";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { Check, Hourglass, TriangleAlert, Undo2, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import type { Saved } from "./saved-notice";

type CredentialsProposalCardProps = {
  connection: Connection;
  proposal: CredentialsProposal;
  /** The viewer's id, if they may decide. */
  reader: string | null;
  onDone: (saved: Saved) => void;
};

/**
 * New credentials that wait for a second admin: what they change, who proposed them, until when, and what the viewer
 * can do.
 */
export function CredentialsProposalCard({
  connection,
  proposal,
  reader,
  onDone,
}: CredentialsProposalCardProps) {
  const t = useTranslations("approvals.credentials");
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const [deciding, setDeciding] = useState<Decision["decision"] | null>(null);
  const outdated = connection.version !== proposal.baseVersion;
  const isOwn = reader === proposal.by.id;
  const isSecond = proposal.approvers?.some(({ id }) => id === reader) ?? false;
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="flex flex-col gap-3 rounded-card border border-warn-line bg-surface p-4 outline-none sm:p-5"
    >
      <h2 id={titleId} className="flex items-start gap-2 font-semibold text-warn">
        <Hourglass aria-hidden className="mt-1 size-4 shrink-0" />
        {t(outdated ? "outdated" : "title")}
      </h2>
      <p className="text-small text-ink-2">
        {t.rich("by", {
          name: proposal.by.name,
          time: () => <RelativeTime at={proposal.at} />,
          until: () => <AbsoluteTime at={proposal.expiresAt} ahead />,
        })}{" "}
        {t(outdated ? "outdatedText" : "inUse")}
      </p>
      {proposal.reason === null ? null : (
        <p className="[overflow-wrap:anywhere]">{t("reason", { text: proposal.reason })}</p>
      )}
      <Comparison proposal={proposal} />
      {outdated ? null : <WhoCan proposal={proposal} reader={reader} />}
      {reader === null ? null : (
        <div className="flex flex-wrap gap-2">
          {isSecond && !outdated ? (
            <Button
              size="sm"
              variant="primary"
              icon={<Check aria-hidden />}
              aria-label={t("approveOf")}
              onClick={() => setDeciding("approve")}
            >
              {t("approve")}
            </Button>
          ) : null}
          {isOwn ? (
            <Button
              size="sm"
              icon={<Undo2 aria-hidden />}
              aria-label={t("withdrawOf")}
              onClick={() => setDeciding("withdraw")}
            >
              {t("withdraw")}
            </Button>
          ) : (
            <Button
              size="sm"
              icon={<X aria-hidden />}
              aria-label={t("rejectOf")}
              onClick={() => setDeciding("reject")}
            >
              {t("reject")}
            </Button>
          )}
        </div>
      )}
      {deciding ? (
        <Deciding
          decision={deciding}
          connection={connection}
          proposal={proposal}
          onDone={(saved) => {
            setDeciding(null);
            onDone(saved);
          }}
          onClose={() => setDeciding(null)}
          returnTo={() => card.current}
        />
      ) : null}
    </section>
  );
}

/** Before and after. The client id comes first: it says whose credentials they are. */
function Comparison({ proposal }: { proposal: CredentialsProposal }) {
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
              <span className={`block ${id}`}>{clientIdBefore}</span>
            </dd>
            <dd>
              <span className="text-small text-ink-2">{t("after")}</span>
              <span className={`block ${id}`}>{clientId}</span>
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

/** Why the viewer cannot approve them, if so, and who can. */
function WhoCan({ proposal, reader }: { proposal: CredentialsProposal; reader: string | null }) {
  const t = useTranslations("approvals.credentials");
  const format = useFormatter();
  const { approvers, by } = proposal;
  if (approvers?.some(({ id }) => id === reader)) return null;
  const sentences = [];
  if (approvers === null) sentences.push(t("authorMayNot", { name: by.name }));
  else {
    if (reader === by.id) sentences.push(t("own"));
    else if (reader !== null) sentences.push(t("notSecond"));
    const names = format.list(
      approvers.map(({ name }) => name),
      { type: "disjunction" },
    );
    sentences.push(
      approvers.length > 0 ? t("whoCan", { names }) : t("nobodyCan", { name: by.name }),
    );
  }
  return <p className="text-small text-pretty text-ink-2">{sentences.join(" ")}</p>;
}

type DecidingProps = Pick<CredentialsProposalCardProps, "connection" | "proposal" | "onDone"> & {
  decision: Decision["decision"];
  onClose: () => void;
  returnTo: () => HTMLElement | null;
};

function Deciding({ decision, connection, proposal, onDone, ...dialog }: DecidingProps) {
  const t = useTranslations("approvals.credentials");
  const decide = useDecideCredentials(connection.partner, connection.environment);
  return (
    <DecisionDialog
      {...dialog}
      decision={decision}
      title={t(`dialogs.${decision}.title`)}
      text={t(`dialogs.${decision}.text`, { name: proposal.by.name })}
      confirmLabel={t(`dialogs.${decision}.confirm`)}
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
        return (
          <FailureNotice failure={answer.failure} title={t("failed")} unreachable={t("lost")} />
        );
      }}
    >
      {decision === "approve" ? <Comparison proposal={proposal} /> : null}
    </DecisionDialog>
  );
}

"use client";

import { useHere } from "@/components/layout/here";
import { Section } from "@/components/ui/section";
import { useQuery } from "@tanstack/react-query";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import { Address } from "@/components/webhooks/compare/address";
import type { EndedProposal } from "@/lib/approvals/model/ended-proposals";
import { dismissEnded, endedQuery } from "@/lib/approvals/client/ended-query";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";

/**
 * Shows the author how their proposals ended and why, until they dismiss it. `waiting`: ids of those that still wait
 * here.
 */
export function EndedProposals({ waiting }: { waiting: readonly string[] }) {
  const t = useTranslations("approvals.ended");
  const { ref } = useHere();
  const { data, refetch } = useQuery(endedQuery(ref, waiting));
  const { answer: dismissed, send } = useApiMutation(
    async (id: string) => ({ id, failure: await dismissEnded(ref, id) }),
    { onAnswer: async () => void (await refetch()) },
  );
  const ended = data?.ended ?? [];
  if (ended.length === 0) return null;
  return (
    <Section bare title={t("region")}>
      {ended.map((proposal) => (
        <Ended
          key={proposal.id}
          proposal={proposal}
          failed={dismissed?.id === proposal.id && dismissed.failure !== null}
          onDismiss={() => void send(proposal.id)}
        />
      ))}
    </Section>
  );
}

type EndedProps = { proposal: EndedProposal; failed: boolean; onDismiss: () => void };

function Ended({ proposal, failed, onDismiss }: EndedProps) {
  const t = useTranslations("approvals");
  const { about, state, by, reason, at, save } = proposal;
  const what = t(`what.${about.kind === "webhooks" ? about.type : "credentials"}`);
  const approved = about.kind === "connection" ? "inUse" : (save ?? "saving");
  return (
    <Notice
      tone={tones[state === "approved" ? approved : state]}
      title={t(`ended.${state}`, { name: by ?? "", what })}
      className="relative pr-14"
    >
      <p className="font-mono text-[0.8125rem] leading-5 [overflow-wrap:anywhere]">
        {about.kind === "webhooks" ? <Address coloured url={about.url} /> : about.clientId}
      </p>
      {reason === null ? null : <p className="mt-1">{t("ended.reason", { text: reason })}</p>}
      <p className="mt-1 text-small text-ink-2">
        <RelativeTime at={at} /> ·{" "}
        {state === "approved" ? t(`ended.save.${approved}`) : t(`ended.text.${state}`)}
      </p>
      {failed ? (
        <p role="alert" className="mt-1 text-small text-bad">
          {t("ended.notDismissed")}
        </p>
      ) : null}
      <IconButton
        label={t("ended.dismiss", { what })}
        icon={<X aria-hidden />}
        onClick={onDismiss}
        className="absolute top-2 right-2"
      />
    </Notice>
  );
}

const tones = {
  rejected: "bad",
  withdrawn: "info",
  replaced: "info",
  expired: "warn",
  saved: "ok",
  unchanged: "ok",
  inUse: "ok",
  partial: "warn",
  not_saved: "bad",
  accepted: "warn",
  unknown: "warn",
  overtaken: "warn",
  not_applied: "warn",
  saving: "info",
} as const;

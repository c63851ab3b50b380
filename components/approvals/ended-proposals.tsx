"use client";

import type { EndedProposal } from "@/lib/approvals/model/ended-proposals";
import { endedQuery } from "@/lib/approvals/client/ended-query";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";

// Most of the time nothing has ended. The notice stays until its author dismisses it: if this code does not load, a
// later visit shows it.
const EndedList = dynamic(
  () =>
    import("./ended-list").then(
      (module) => module.EndedList,
      () => () => null,
    ),
  { loading: () => null },
);

type EndedProposalsProps = {
  environmentRef: { partner: string; environment: string };
  kind: EndedProposal["about"]["kind"];
  /** Ids of the viewer's proposals that still wait here. */
  waiting: readonly string[];
};

/** Shows the author how their proposals ended and why, until they dismiss it. */
export function EndedProposals({ environmentRef, kind, waiting }: EndedProposalsProps) {
  const { data, refetch } = useQuery(endedQuery(environmentRef, waiting));
  const ended = data?.ended.filter(({ about }) => about.kind === kind) ?? [];
  if (ended.length === 0) return null;
  return <EndedList environmentRef={environmentRef} ended={ended} onDismiss={refetch} />;
}

import type { Proposal } from "@/lib/webhooks/model/configuration";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";

/** A change that waits, and who looks at it. */
export type ShownProposal = {
  proposal: Proposal;
  /** The id of the person who is looking, if their role lets them decide. */
  reader: string | null;
  /** The service could not confirm just now what it would be written over. */
  old: boolean;
};

export type OnDecide = (proposal: Proposal, decision: Decision["decision"]) => void;

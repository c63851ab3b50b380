"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import dynamic from "next/dynamic";

/** Most of the time nothing waits; where something does, it is part of the page from the start. */
export const ProposalBanner = dynamic(() =>
  import("./proposal-banner").then((module) => module.ProposalBanner),
);

export const { LazyPart: ProposalDialog } = lazyPart(
  () => import("./proposal-dialog").then((module) => module.ProposalDialog),
  ({ onClose }) => onClose(),
);

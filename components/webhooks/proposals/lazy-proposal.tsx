"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import dynamic from "next/dynamic";

/**
 * Most of the time no proposal waits. A waiting one is part of the page from the start. Where a colleague proposes a
 * change while the page is open, the rest of the page stays as it is while this code loads, and if it fails to load.
 */
export const ProposalBanner = dynamic(
  () =>
    import("./proposal-banner").then(
      (module) => module.ProposalBanner,
      () => () => null,
    ),
  { loading: () => null },
);

export const { LazyPart: ProposalDialog, preload: preloadProposalDialog } = lazyPart(
  () => import("./proposal-dialog").then((module) => module.ProposalDialog),
  ({ onClose }) => onClose(),
);

/** For Approvals alone. */
export const ProposalDetail = dynamic(
  () => import("./proposal-detail").then((module) => module.ProposalDetail),
  { loading: () => null },
);

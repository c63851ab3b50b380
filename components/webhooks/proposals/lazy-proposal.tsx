"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import dynamic from "next/dynamic";

/**
 * Most of the time nothing waits. Where something does, it is part of the page from the start; where a colleague proposes
 * something while the page is open, the rest of it stays as it is until the code is there, and if that does not come.
 */
export const ProposalBanner = dynamic(
  () =>
    import("./proposal-banner").then(
      (module) => module.ProposalBanner,
      () => () => null,
    ),
  { loading: () => null },
);

export const { LazyPart: ProposalDialog } = lazyPart(
  () => import("./proposal-dialog").then((module) => module.ProposalDialog),
  ({ onClose }) => onClose(),
);

"use client";

import dynamic from "next/dynamic";

/** Its code is loaded only for the few people who see it. Without a `loading`, so that no page is sent before it. */
export const SupportBanner = dynamic(() =>
  import("@/components/support/support-banner").then((module) => module.SupportBanner),
);

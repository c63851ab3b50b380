"use client";

import dynamic from "next/dynamic";

/*
 * Above a page, for the few people they concern; nobody else fetches them. They stand in one module although two
 * layouts draw them: the inner layout would otherwise bring a file of its own to every page, most of it headers.
 */

/** Support is viewing the partner. */
export const SupportBanner = dynamic(
  () => import("@/components/support/support-banner").then((module) => module.SupportBanner),
  { loading: () => null },
);

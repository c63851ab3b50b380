"use client";

import dynamic from "next/dynamic";

/*
 * Above a page, for the few people they concern; nobody else fetches them. They stand in one module although two
 * layouts draw them: the inner layout would otherwise bring a file of its own to every page, most of it headers.
 */

/** News about their account that a person has not read yet. */
export const UnreadNotice = dynamic(
  () => import("@/components/account/unread-notice").then((module) => module.UnreadNotice),
  { loading: () => null },
);

/** Support is viewing the partner. */
export const SupportBanner = dynamic(
  () => import("@/components/support/support-banner").then((module) => module.SupportBanner),
  { loading: () => null },
);

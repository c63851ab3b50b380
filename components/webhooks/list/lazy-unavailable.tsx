"use client";

import dynamic from "next/dynamic";

/** For connections that were never read; nobody else fetches it. */
export const WebhooksUnavailable = dynamic(
  () => import("./webhooks-unavailable").then((module) => module.WebhooksUnavailable),
  { loading: () => null },
);

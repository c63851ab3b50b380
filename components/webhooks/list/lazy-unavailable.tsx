"use client";

import dynamic from "next/dynamic";

/** For whom nothing was ever read; nobody else fetches it. */
export const WebhooksUnavailable = dynamic(
  () => import("./webhooks-unavailable").then((module) => module.WebhooksUnavailable),
  { loading: () => null },
);

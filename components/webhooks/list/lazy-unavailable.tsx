"use client";

import dynamic from "next/dynamic";

/** Loaded only if the configuration has never been read. */
export const WebhooksUnavailable = dynamic(() =>
  import("./webhooks-unavailable").then((module) => module.WebhooksUnavailable),
);

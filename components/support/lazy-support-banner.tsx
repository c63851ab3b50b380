"use client";

import dynamic from "next/dynamic";

/** For those who look in a support view; nobody else fetches it. */
export const SupportBanner = dynamic(() =>
  import("./support-banner").then((module) => module.SupportBanner),
);

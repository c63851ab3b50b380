"use client";

import dynamic from "next/dynamic";

/** For new partners; nobody else fetches it. */
export const FirstSteps = dynamic(
  () => import("./first-steps").then((module) => module.FirstSteps),
  { loading: () => null },
);

"use client";

import dynamic from "next/dynamic";

/** For those who begin; nobody else fetches it. */
export const FirstSteps = dynamic(
  () => import("./first-steps").then((module) => module.FirstSteps),
  { loading: () => null },
);

"use client";

import dynamic from "next/dynamic";
import { useAskedStepUp } from "./use-asked-step-up";

const StepUpDialog = dynamic(
  () => import("./step-up-dialog").then((module) => module.StepUpDialog),
  {
    ssr: false,
  },
);

/** Asks the person to prove their identity again whenever a response requires it; renders nothing until then. */
export function StepUp() {
  const { asked, end } = useAskedStepUp();
  return asked ? <StepUpDialog method={asked.method} onEnd={end} /> : null;
}

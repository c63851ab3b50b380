"use client";

import { askStepUpBy } from "@/lib/platform/http/client/fetch-json";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";

const StepUpDialog = dynamic(
  () => import("./step-up-dialog").then((module) => module.StepUpDialog),
  {
    ssr: false,
  },
);

/**
 * Asks the person to prove their identity again whenever an answer of Gancho's requires it; draws nothing until then.
 */
export function StepUp() {
  const [end, setEnd] = useState<{ with: (given: boolean) => void } | null>(null);
  useEffect(() => askStepUpBy(() => new Promise((resolve) => setEnd({ with: resolve }))), []);
  if (!end) return null;
  return (
    <StepUpDialog
      onEnd={(given) => {
        setEnd(null);
        end.with(given);
      }}
    />
  );
}

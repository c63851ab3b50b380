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

type Asked = { method: "passkey" | undefined; end: (given: boolean) => void };

/**
 * Asks the person to prove their identity again whenever an answer of Gancho's requires it; draws nothing until then.
 */
export function StepUp() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => askStepUpBy((method) => new Promise((end) => setAsked({ method, end }))), []);
  if (!asked) return null;
  return (
    <StepUpDialog
      method={asked.method}
      onEnd={(given) => {
        setAsked(null);
        asked.end(given);
      }}
    />
  );
}

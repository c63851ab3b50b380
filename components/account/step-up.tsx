"use client";

import dynamic from "next/dynamic";
import type { StepUpOptions } from "@/lib/account/model/account";
import { askStepUpBy } from "@/lib/platform/http/client/fetch-json";
import { useEffect, useState } from "react";

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

type Asked = {
  method: "passkey" | "any";
  /** Known where the question comes before the action. */
  options?: StepUpOptions;
  end: (given: boolean) => void;
};

/**
 * The proof of identity that a response from Gancho asks for while this is mounted, or `ask` before an action; null until
 * then.
 */
export function useAskedStepUp() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => askStepUpBy((method) => new Promise((end) => setAsked({ method, end }))), []);
  return {
    asked,
    ask: setAsked,
    end(given: boolean) {
      setAsked(null);
      asked?.end(given);
    },
  };
}

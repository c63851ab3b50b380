"use client";

import { AppearingPart } from "@/components/layout/lasting-boundary";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import dynamic from "next/dynamic";
import { useCaptures } from "./use-captures";

// If its code fails to load, the cards still say what is registered.
const Section = dynamic(() =>
  import("./capture-section").then(
    (module) => module.CaptureSection,
    () => () => null,
  ),
);

type CapturePartProps = {
  configuration: Configuration;
  /** The person may switch the addresses on and off. */
  maySwitch: boolean;
};

/** What came to the dashboard's own addresses, and what that showed; nothing where none is on and nothing ever came. */
export function CapturePart({ configuration, maySwitch }: CapturePartProps) {
  const captures = useCaptures();
  const isThere = captures !== null && captures.captures.length + captures.facts.length > 0;
  return (
    <AppearingPart>
      {isThere ? (
        <Section captures={captures} configuration={configuration} maySwitch={maySwitch} />
      ) : null}
    </AppearingPart>
  );
}

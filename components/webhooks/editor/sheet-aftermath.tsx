"use client";

import type { AppliesTo } from "@/lib/webhooks/model/types";
import { useCallback } from "react";
import { SubmitResultNotice } from "./aftermath-notice";
import { ConflictNotice } from "./conflict-notice";
import type { useWebhookSheet } from "./use-webhook-sheet";

type SheetSubmitResultProps = {
  sheet: ReturnType<typeof useWebhookSheet>;
  /** What saving these types is called. */
  labelOf: (appliesTo: AppliesTo) => string;
};

/** Above the fields, and brought into view: what came of the last attempt. */
export function SheetSubmitResult({ sheet, labelOf }: SheetSubmitResultProps) {
  const intoView = useCallback(
    (element: HTMLDivElement | null) => element?.scrollIntoView({ block: "nearest" }),
    [],
  );
  const { submitResult, attempt, working, checkAgain } = sheet.save;
  if (submitResult.kind === "none" || submitResult.kind === "confirm") return null;
  return (
    <div key={attempt} ref={intoView}>
      {submitResult.kind === "conflict" ? (
        <ConflictNotice opened={sheet.base} now={submitResult.now} draft={sheet.draft} />
      ) : (
        <SubmitResultNotice
          submitResult={submitResult}
          working={working}
          labelOf={labelOf}
          onSaveRest={(type) => void sheet.saveRest(type)}
          onCheckAgain={(unresolved) => void checkAgain(unresolved)}
        />
      )}
    </div>
  );
}

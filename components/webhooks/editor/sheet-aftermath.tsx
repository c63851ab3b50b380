"use client";

import type { AppliesTo } from "@/lib/webhooks/model/types";
import { useCallback } from "react";
import { AftermathNotice } from "./aftermath-notice";
import { ConflictNotice } from "./conflict-notice";
import type { useWebhookSheet } from "./use-webhook-sheet";

type SheetAftermathProps = {
  sheet: ReturnType<typeof useWebhookSheet>;
  /** What saving these types is called. */
  labelOf: (appliesTo: AppliesTo) => string;
};

/** Above the fields, and brought into view: what came of the last attempt. */
export function SheetAftermath({ sheet, labelOf }: SheetAftermathProps) {
  const intoView = useCallback(
    (element: HTMLDivElement | null) => element?.scrollIntoView({ block: "nearest" }),
    [],
  );
  const { aftermath, attempt, working, checkAgain } = sheet.save;
  if (aftermath.kind === "none" || aftermath.kind === "confirm") return null;
  return (
    <div key={attempt} ref={intoView}>
      {aftermath.kind === "conflict" ? (
        <ConflictNotice opened={sheet.base} now={aftermath.now} draft={sheet.draft} />
      ) : (
        <AftermathNotice
          aftermath={aftermath}
          working={working}
          labelOf={labelOf}
          onSaveRest={(type) => void sheet.saveRest(type)}
          onCheckAgain={(unsettled) => void checkAgain(unsettled)}
        />
      )}
    </div>
  );
}

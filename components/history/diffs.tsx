import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { differs } from "@/lib/webhooks/model/compare";
import type { ShownEntry } from "./description";

type DiffsProps = { entry: ShownEntry; changes: readonly WebhookChange[] };

/** One block for each type that differs; it names its type where the entry is about several. */
export function Diffs({ entry, changes }: DiffsProps) {
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      {changes.filter(differs).map((change) => (
        <ChangeDiff key={change.type} change={change} named={entry.types.length > 1} brief />
      ))}
    </div>
  );
}

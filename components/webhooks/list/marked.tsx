import type { ChangedPart } from "@/lib/webhooks/model/changed-part";

/** A text whose differing part stands out by weight, not by colour alone. */
export function Marked({ part: { start, changed, end } }: { part: ChangedPart }) {
  return (
    <>
      {start}
      {changed ? (
        <strong className="font-semibold underline decoration-1 underline-offset-3">
          {changed}
        </strong>
      ) : null}
      {end}
    </>
  );
}

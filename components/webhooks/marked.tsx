import type { ChangedPart } from "@/lib/webhooks/changed-part";

/** A text whose differing part stands out by weight, not by colour alone. */
export function Marked({ part: { start, changed, end } }: { part: ChangedPart }) {
  return (
    <>
      {start}
      {changed ? (
        <strong className="rounded-sm bg-current/10 font-semibold">{changed}</strong>
      ) : null}
      {end}
    </>
  );
}

import type { ReactNode } from "react";

/** A short piece of code: an event kind, a fingerprint. */
export function Chip({ children }: { children: ReactNode }) {
  return (
    <code
      translate="no"
      className="inline-block rounded-[5px] border border-line bg-sunken px-1.5 py-px font-mono text-xs [overflow-wrap:anywhere] text-ink-2"
    >
      {children}
    </code>
  );
}

import type { ReactNode } from "react";
import { cn } from "./cn";

/** A short piece of code: an event kind, a fingerprint. */
export function Chip({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <code
      className={cn(
        "inline-block rounded-[5px] border border-line bg-sunken px-1.5 py-px font-mono text-xs [overflow-wrap:anywhere] text-ink-2",
        className,
      )}
    >
      {children}
    </code>
  );
}

"use client";

import { Eye } from "lucide-react";
import type { ReactNode } from "react";

/** Why there is nothing to change here, and who can. */
export function ReadOnlyNote({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-small text-ink-2">
      <Eye aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 text-pretty">{children}</span>
    </p>
  );
}

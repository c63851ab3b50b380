import type { ReactNode } from "react";

type DisclosureProps = { summary: ReactNode; children: ReactNode };

/** Collapses content that few readers need. */
export function Disclosure({ summary, children }: DisclosureProps) {
  return (
    <details>
      <summary className="min-h-6 w-fit rounded-control text-small font-medium text-brand">
        {summary}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}

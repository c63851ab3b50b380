import type { ReactNode } from "react";

type FactProps = {
  name: string;
  /** Shown under the value. */ hint?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** A name and its value, in a `dl`. */
export function Fact({ name, hint, className, children }: FactProps) {
  return (
    <div className={className ?? "min-w-0"}>
      <dt className="text-small text-ink-3">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
      {hint ? <dd className="text-small [overflow-wrap:anywhere] text-ink-3">{hint}</dd> : null}
    </div>
  );
}

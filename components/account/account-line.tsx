import type { LucideIcon } from "lucide-react";
import type { Elements } from "@/components/ui/sentences";
import type { ReactNode } from "react";

type AccountLineProps = {
  icon: LucideIcon;
  title: ReactNode;
  /** One `span` per fact. */
  facts: ReactNode;
  /** The actions on this line. */
  children: Elements;
};

/** A passkey or a session in its list. */
export function AccountLine({ icon: Icon, title, facts, children }: AccountLineProps) {
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3 [overflow-wrap:anywhere]">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">{title}</p>
        <p className="flex flex-wrap gap-x-4 text-small text-ink-2">{facts}</p>
      </div>
      {children}
    </li>
  );
}

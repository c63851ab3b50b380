import { cn } from "./cn";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const tones = { plain: "text-ink-2", faint: "text-ink-3", warn: "text-warn", bad: "text-bad" };

type HintProps = {
  tone?: keyof typeof tones;
  icon: LucideIcon;
  /** For the `aria-describedby` of the control that the hint describes. */
  id?: string;
  className?: string;
  children: ReactNode;
};

/** A sentence with an icon, about the content next to it. */
export function Hint({ tone = "plain", icon: Icon, id, className, children }: HintProps) {
  return (
    <p id={id} className={cn("flex items-start gap-2 text-small", tones[tone], className)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 text-pretty [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

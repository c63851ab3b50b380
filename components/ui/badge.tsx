import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./cn";

type BadgeTone = "ok" | "warn" | "bad" | "neutral";

/** Each tone in colours, which the entries of the history share, and its icon. */
export const badgeTones: Record<BadgeTone, { style: string; icon: ReactElement }> = {
  ok: { style: "bg-ok-soft text-ok", icon: <CircleCheck aria-hidden /> },
  warn: { style: "bg-warn-soft text-warn", icon: <TriangleAlert aria-hidden /> },
  bad: { style: "bg-bad-soft text-bad", icon: <CircleX aria-hidden /> },
  neutral: { style: "bg-sunken text-ink-2", icon: <CircleDashed aria-hidden /> },
};

type BadgeProps = {
  tone: BadgeTone;
  /** Replaces the tone's icon. A badge always has one, because colour alone must not carry the meaning. */
  icon?: ReactElement | undefined;
  className?: string;
  children: ReactNode;
};

/** A state as an icon, a word and a colour. */
export function Badge({ tone, icon, className, children }: BadgeProps) {
  return (
    <span
      className={cn(
        "inline-flex min-h-6 items-center gap-1.5 rounded-full border border-transparent px-2 py-0.5 text-xs font-medium [&>svg]:size-3.5 [&>svg]:shrink-0",
        badgeTones[tone].style,
        className,
      )}
    >
      {icon ?? badgeTones[tone].icon}
      <span className="contents">{children}</span>
    </span>
  );
}

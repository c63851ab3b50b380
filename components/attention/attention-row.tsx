"use client";

import { cn } from "@/components/ui/cn";
import type { Elements } from "@/components/ui/sentences";
import type { LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";

const tones = { bad: "text-bad", warn: "text-warn", info: "text-ink-2" };

type AttentionRowProps = {
  icon: LucideIcon;
  tone: keyof typeof tones;
  title: ReactNode;
  text?: ReactNode;
  /** The ways on. */
  actions?: Elements;
  /** Below both, over the whole width. */
  children?: Elements;
};

/** One row: an icon, what is the matter, and what one can do. */
export function AttentionRow(props: AttentionRowProps) {
  const { icon: Icon, tone, title, text, actions, children } = props;
  const titleId = useId();
  return (
    <div
      role="group"
      aria-labelledby={titleId}
      className="flex items-start gap-3 px-4 py-3 sm:px-5"
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", tones[tone])} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <div className="min-w-0 flex-1 basis-80">
            <h2 id={titleId} className="font-semibold text-pretty">
              {title}
            </h2>
            {text ? (
              <p className="text-small text-pretty [overflow-wrap:anywhere] text-ink-2">{text}</p>
            ) : null}
          </div>
          {actions ? <div className="flex flex-wrap gap-2 print:hidden">{actions}</div> : null}
        </div>
        {children}
      </div>
    </div>
  );
}

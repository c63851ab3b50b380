import { cn } from "./cn";
import type { Elements } from "@/components/ui/sentences";
import type { ReactNode } from "react";
import { Card, CardBody } from "./card";

type EmptyStateProps = {
  icon: ReactNode;
  /** `warn`: the content exists but cannot be shown, which interrupts a screen reader. */
  tone?: "plain" | "warn";
  title: string;
  /** Why the list is empty, or what to do. */
  text: ReactNode;
  action?: Elements;
};

const tones = { plain: "bg-brand-soft text-brand", warn: "bg-warn-soft text-warn" };

/** Replaces an empty list. */
export function EmptyState({ icon, tone = "plain", title, text, action }: EmptyStateProps) {
  return (
    <Card dashed={tone === "plain"} role={tone === "warn" ? "alert" : undefined}>
      <CardBody className="flex flex-col items-center gap-3 px-6 py-12 text-center">
        <span
          className={cn(
            "inline-flex size-12 items-center justify-center rounded-full [&>svg]:size-6",
            tones[tone],
          )}
        >
          {icon}
        </span>
        <h2 className="text-base font-semibold text-pretty">{title}</h2>
        <div className="max-w-md text-pretty text-ink-2">{text}</div>
        {action}
      </CardBody>
    </Card>
  );
}

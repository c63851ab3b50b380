"use client";

import { cn } from "@/components/ui/cn";
import { FlaskConical, Radio } from "lucide-react";
import { useEnvironmentName } from "./environment-name";

/** Production is the one place where a mistake costs money: filled, with its own icon and word. All others are outlined. */
export function EnvironmentBadge({ environment }: { environment: string }) {
  const name = useEnvironmentName();
  const production = environment === "production";
  const Icon = production ? Radio : FlaskConical;
  return (
    <span
      className={cn(
        "inline-flex max-w-full shrink-0 items-center gap-1 rounded-full border px-1.5 text-xs font-medium",
        production ? "border-transparent bg-ink text-surface" : "border-line-strong text-ink-2",
      )}
    >
      <Icon aria-hidden className="size-3 shrink-0" />
      <span className="truncate">{name(environment)}</span>
    </span>
  );
}

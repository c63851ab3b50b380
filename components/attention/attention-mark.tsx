"use client";

import { cn } from "@/components/ui/cn";
import type { AttentionItem } from "@/lib/attention/model/answer";
import { worstTone } from "@/lib/attention/model/tone";
import { Check, Hourglass, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";

const looks = {
  bad: { icon: TriangleAlert, style: "text-bad" },
  warn: { icon: TriangleAlert, style: "text-warn" },
  info: { icon: Hourglass, style: "text-ink-2" },
};

type AttentionMarkProps = { items: readonly AttentionItem[] | undefined; className?: string };

/** Whether all is well, as an icon with a count; nothing until that is known. */
export function AttentionMark({ items, className }: AttentionMarkProps) {
  const t = useTranslations("shell.attention");
  if (!items) return null;
  const tone = worstTone(items);
  const { icon: Icon, style } = tone ? looks[tone] : { icon: Check, style: "text-ok" };
  return (
    <span
      className={cn(
        // As large with a count.
        "inline-flex min-h-5 min-w-7 shrink-0 items-center justify-end gap-1.5 font-semibold",
        style,
        className,
      )}
    >
      <Icon aria-hidden className="size-4" />
      {tone ? <span aria-hidden>{items.length}</span> : null}
      <span className="sr-only">{tone ? t("some", { count: items.length }) : t("none")}</span>
    </span>
  );
}

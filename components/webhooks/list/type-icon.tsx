import type { WebhookType } from "@/lib/webhooks/model/types";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";

/** Money coming in, money going out. */
export function TypeIcon({ type }: { type: WebhookType }) {
  const [Icon, style] =
    type === "pix_in"
      ? [ArrowDownLeft, "bg-in-soft text-in"]
      : [ArrowUpRight, "bg-out-soft text-out"];
  return (
    <span
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-control ${style}`}
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}

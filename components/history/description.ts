import type { HistoryItem } from "@/lib/history/model/item";
import type { Tone } from "@/lib/history/model/kind";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { LucideIcon } from "lucide-react";
import type { useTranslations } from "next-intl";

/** One entry in words. */
export type Description = {
  tone: Tone;
  icon: LucideIcon;
  /** What happened, in a sentence without its full stop. */
  sentence: string;
  /** Whether the service was asked afterwards. */
  readBack?: boolean;
  /** Reasons and further facts: a sentence each. */
  notes?: readonly string[];
  /** What changed. */
  changes?: readonly WebhookChange[];
  /** Where nobody need have done it. */
  byNobodyKnown?: boolean;
  /** What would have changed. */
  requested?: readonly WebhookChange[];
};

/** What is drawn of an entry besides its description. */
export type ShownEntry = Pick<HistoryItem, "at" | "kind" | "types" | "outcome" | "requestId"> & {
  actor: { id?: string; name: string } | null;
  clientAddress?: string | null;
};

/** All messages. */
export type Translate = ReturnType<typeof useTranslations<never>>;

import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { LucideIcon } from "lucide-react";
import type { useTranslations } from "next-intl";

/** Good, to be looked at, failed, or simply so. Never said by colour alone: the sentence and the icon say it, too. */
export type Tone = "ok" | "warn" | "bad" | "neutral";

/** One entry in words. */
export type Description = {
  tone: Tone;
  icon: LucideIcon;
  /** What happened, in a sentence without its point. */
  sentence: string;
  /** That the service was asked afterwards. */
  readBack?: boolean;
  /** Why, and what belongs to it: a sentence each. */
  notes?: readonly string[];
  /** What is different since. */
  changes?: readonly WebhookChange[];
  /** What would have been different. */
  asked?: readonly WebhookChange[];
};

/** Every message there is. */
export type Translate = ReturnType<typeof useTranslations<never>>;

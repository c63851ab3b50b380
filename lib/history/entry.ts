import { webhookTypes } from "@/lib/partner-api/contract/terms";
import * as z from "zod/mini";

/** One type's configuration as history keeps it: the Authorization value only as its fingerprint. */
const state = z.nullable(
  z.object({ callbackUrl: z.string(), fingerprint: z.nullable(z.string()) }),
);

const change = z.object({
  type: z.enum(webhookTypes),
  outcome: z.enum(["created", "overwritten", "unchanged", "not_saved", "unknown", "seen"]),
  before: state,
  after: state,
});

/** What each kind of entry carries besides its columns. */
export const historyDetail = {
  /** Somebody pressed save; nothing was sent yet. */
  save_attempt: z.object({
    saveId: z.string(),
    wishes: z.array(z.object({ type: z.enum(webhookTypes), wish: state })),
  }),
  /** How that save ended, after reading back. `reason` is a problem code. */
  save: z.object({ saveId: z.string(), changes: z.array(change), reason: z.nullable(z.string()) }),
  /** The service held something else than when Gancho last looked. */
  changed_outside: z.object({ changes: z.array(change) }),
} as const;

export type HistoryKind = keyof typeof historyDetail;
export type HistoryDetail = { [Kind in HistoryKind]: z.infer<(typeof historyDetail)[Kind]> };
export type WebhookChange = z.infer<typeof change>;

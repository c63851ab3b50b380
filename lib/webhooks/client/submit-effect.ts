import type { Configuration } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/draft";
import { typesOf, type AppliesTo, type WebhookType } from "@/lib/webhooks/model/types";

/** What the submit button says it does: which types it registers and which it overwrites, each in the shown order. */
export type SubmitEffect = { register: WebhookType[]; overwrite: WebhookType[] };

/** Named by what is registered, not by what was edited: a save of the same values still is an overwrite. */
export function submitEffect(configuration: Configuration, appliesTo: AppliesTo): SubmitEffect {
  const types = typesOf(appliesTo);
  return {
    register: types.filter((type) => !webhookOf(configuration, type)),
    overwrite: types.filter((type) => webhookOf(configuration, type)),
  };
}

import "server-only";
import { errorText } from "./upstream-text";
import * as z from "zod";
import { Secret } from "@/lib/platform/runtime/secret";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import { judgeBadBody, judgeFailure, type Judgement } from "./judgement";
import { parseJson } from "./parse-json";
import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";
import type { ListedWebhook } from "@/lib/platform/payment-service/types";

type Wire = components["schemas"];

/** Text that can be shown and kept: bounded, and without halves of characters. */
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !/\p{Surrogate}/u.test(value));

/** Far above the contract's limits (section 8): overlong values are shown; absurd ones are refused. */
const webhookItem = z.object({
  type: text(100).nullable().catch(null).default(null),
  callback_url: text(2_048),
  // Another type would be a value that we cannot show: refusing is better than reporting none.
  auth_header: text(4_096).nullish(),
  authorization: text(4_096).nullish(),
  events: z.array(text(200)).max(100).nullable().catch(null).default(null),
} satisfies Record<keyof Wire["WebhookConfiguration"], z.ZodType>);

/** Section 2.2. Two items are all that the contract knows; a hundred are still shown. */
const listBody = z.object({
  webhooks: z.array(webhookItem).max(100),
} satisfies Record<keyof Wire["WebhookList"], z.ZodType>);

type List = { webhooks: ListedWebhook[]; unclear: boolean };

/** The meaning of an answer of the list operation, sections 2.2, 4.2 and 7.2. */
export function judgeList(answer: WireAnswer, secrets: readonly Secret[]): Judgement<List> {
  if (answer.kind === "answered") {
    if (answer.status === 404) return judgeNotFound(answer, secrets);
    if (answer.status === 200) {
      const json = parseJson(answer);
      if (!json.ok) return judgeBadBody("list", answer, { again: json.broken });
      const body = listBody.safeParse(json.value);
      if (!body.success) return judgeBadBody("list", answer, { again: false });
      return { kind: "done", value: { webhooks: body.data.webhooks.map(listed), unclear: false } };
    }
  }
  return judgeFailure("list", answer, secrets);
}

/** The only place where a text decides (section 7.2): a wrong address answers 404 as well. */
function judgeNotFound(
  answer: Extract<WireAnswer, { kind: "answered" }>,
  secrets: readonly Secret[],
): Judgement<List> {
  const json = parseJson(answer);
  if (json.ok) {
    const stated = errorText(answer)?.trim() === "Configuration not found";
    return { kind: "done", value: { webhooks: [], unclear: !stated } };
  }
  if (answer.body.state === "cut" || answer.body.state === "late") {
    return judgeBadBody("list", answer, { again: json.broken });
  }
  return judgeFailure("list", answer, secrets);
}

function listed(item: z.infer<typeof webhookItem>): ListedWebhook {
  const { auth_header: header = null, authorization: attribute = null } = item;
  const conflict = header !== null && attribute !== null && header !== attribute;
  const value = conflict ? "" : (header ?? attribute ?? "");
  return {
    type: item.type,
    callbackUrl: item.callback_url,
    authorization: value === "" ? null : new Secret(value),
    authorizationConflict: conflict,
    events: item.events,
  };
}

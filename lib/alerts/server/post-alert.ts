import "server-only";
import { env } from "@/lib/platform/env/env";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import { db } from "@/lib/platform/database/open";
import { pageOf, partnerName, type Delivery } from "./delivery";

/**
 * Posts it to the operators' webhook, signed as the Standard Webhooks specification says. Rejects where the receiver
 * does not answer 2xx: it follows no redirect. Reads nothing of the answer.
 */
export async function postAlert(delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { alertsWebhook } = env();
  if (!alertsWebhook) throw new Error("ALERTS_URL is not set any more");
  const body = JSON.stringify(await payloadOf(delivery));
  const sentAt = new Date();
  const signer = new Webhook(alertsWebhook.secret.reveal());
  const answer = await request(alertsWebhook.url.reveal(), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Gancho",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": signer.sign(delivery.id, sentAt, body),
    },
    body,
    signal,
    headersTimeout: 10_000,
    bodyTimeout: 5_000,
  }).catch((error: unknown) => {
    throw new NotTaken("cannot be reached", codeOf(error));
  });
  answer.body.on("error", () => undefined).destroy();
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new NotTaken(`answers ${answer.statusCode}`, `HTTP_${answer.statusCode}`);
}

/** Without the library's words about the request: the address is secret. */
class NotTaken extends Error {
  readonly code: string;
  constructor(what: string, code: string) {
    super(`the receiver of alerts ${what}`);
    this.name = "NotTaken";
    this.code = code;
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "failed";
}

/** With names for the ids, and timestamps as ISO 8601, UTC. */
async function payloadOf({ at, alert: { kind, ...data } }: Delivery) {
  const alert = { kind, ...data } as Delivery["alert"];
  const named = {
    ...("partnerId" in alert && { partnerName: await partnerName(alert.partnerId) }),
    ...("userId" in alert && { userName: await userName(alert.userId) }),
    ...("since" in alert && { since: new Date(alert.since).toISOString() }),
    ...("until" in alert && { until: new Date(alert.until).toISOString() }),
  };
  return {
    type: kind,
    timestamp: new Date(at).toISOString(),
    data: { ...data, ...named, link: new URL(pageOf(alert), env().url).href },
  };
}

async function userName(userId: string): Promise<string | null> {
  const user = db().selectFrom("users").select("name").where("id", "=", userId);
  return (await user.executeTakeFirst())?.name ?? null;
}

import "server-only";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import type { LinkDelivery } from "./model/link-delivery";
import { sendMail, type Mail } from "./send-mail";

/** Mails what somebody waits for, now or not at all. Never throws: what failed is logged. */
export async function deliver(
  mail: () => Omit<Mail, "id">,
  what: { kind: string; requestId?: string },
): Promise<LinkDelivery> {
  const { mail: settings, oidc } = env();
  if (!settings) return oidc ? "provider" : "terminal";
  try {
    await sendMail(settings, mail());
    return "sent";
  } catch (error) {
    log.error({ err: error, ...what }, "a mail could not be sent");
    return "failed";
  }
}

import { alertChannels, sendDue } from "@/lib/alerts/server/send";

/** All that is due, as the reader sends it. */
export async function sendAll(now?: () => number): Promise<void> {
  await Promise.all(alertChannels().map((channel) => sendDue(channel, now)));
}

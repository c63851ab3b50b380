import "server-only";
import { isLoopback } from "@/lib/platform/env/is-loopback";
import { outboundSocket, proxyFor } from "@/lib/platform/egress/outbound";
import type { Secret } from "@/lib/platform/runtime/secret";
import { createTransport } from "nodemailer";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import type { LinkDelivery } from "@/lib/platform/mail/model/link-delivery";

export type Mail = {
  /** One address. */
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** `left@right`, where the mail may have to be sent again: the recipient recognises a duplicate by it. */
  id?: string;
};

/** Milliseconds for each step; somebody waits for the answer. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Over plain SMTP neither the password nor a link leaves this machine before TLS. */
function transportTo(url: Secret) {
  const server = new URL(url.reveal());
  const secure = server.protocol === "smtps:";
  const host = server.hostname.replace(/^\[|\]$/g, "");
  const port = Number(server.port) || (secure ? 465 : 587);
  return createTransport({
    host,
    port,
    secure,
    ...(proxyFor(host) && {
      // TLS, which the library agrees on itself, is with the mail server.
      getSocket: (_options: unknown, callback: (error: Error | null, socket?: object) => void) =>
        void outboundSocket({ host, port, secure: false }).then(
          (connection) => callback(null, { connection }),
          (error: Error) => callback(error),
        ),
    }),
    requireTLS: !secure && !isLoopback(server),
    ...(server.username
      ? {
          auth: {
            user: decodeURIComponent(server.username),
            pass: decodeURIComponent(server.password),
          },
        }
      : {}),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Hands a mail to the operator's server. Rejects when the server cannot be reached or does not take it. */
export async function sendMail(
  { url, from }: { url: Secret; from: string },
  { to, subject, text, id }: Mail,
): Promise<void> {
  const transport = transportTo(url);
  try {
    await transport.sendMail({
      // Without a name of its own, the sender has the dashboard's.
      from: from.includes("<") ? from : { name: env().brand.name, address: from },
      to: { name: "", address: to },
      subject,
      text: `${text}\n\n${signature()}`,
      // Suppresses automatic replies.
      ...(id !== undefined && {
        messageId: `<${id}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      }),
    });
  } finally {
    transport.close();
  }
}

/** As mail programs know one, by the line of two hyphens and a space: whose mail this is, and where to ask. */
function signature(): string {
  const { brand, url } = env();
  const support = brand.links.support?.replace(/^mailto:/, "");
  return ["-- ", `${brand.name} · ${url.host}`, ...(support === undefined ? [] : [support])].join(
    "\n",
  );
}

/**
 * Changes what a person wrote so that no mail program makes a link of it, which they do even in plain text. Visibly, as
 * reports of attacks write addresses: `https: //evil[.]example`.
 */
export function withoutLinks(text: string): string {
  // Browsers read full-width characters as plain ones, and an ideographic full stop as a dot (RFC 3490, section 3.1).
  const plain = text.normalize("NFKC").replaceAll("。", ".");
  const broken = plain
    .replaceAll("://", ": //")
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, "[.]");
  return broken === plain ? text : broken;
}

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

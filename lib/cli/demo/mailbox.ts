import { errorCode } from "@/lib/platform/runtime/network-error";
import { readMail, type MailServer, type ReadMail } from "@/lib/tools/mail-server";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Where the page is unless the demo needs this port or something else listens there; then any free port. */
const defaultPort = 4030;

export type Mailbox = {
  /** The page with the mails. */
  url: string;
  close: () => Promise<void>;
};

/** Shows every mail of the demo on this machine alone. Nothing leaves it. `needed`: the demo's own ports. */
export async function startMailbox(
  server: MailServer,
  needed: readonly (number | undefined)[],
): Promise<Mailbox> {
  const page = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    response.setHeader("referrer-policy", "no-referrer");
    // A website whose name leads here would otherwise read the links.
    const isOurs = /^(localhost|127\.0\.0\.1)(:|$)/.test(request.headers.host ?? "");
    const mails = isOurs ? server.mails.map(readMail).reverse() : [];
    response.writeHead(isOurs ? 200 : 403).end(isOurs ? pageOf(mails) : "");
  });
  const listen = async (port: number) => {
    page.listen(port, "127.0.0.1");
    await once(page, "listening");
  };
  await listen(needed.includes(defaultPort) ? 0 : defaultPort).catch((error: unknown) => {
    if (errorCode(error) !== "EADDRINUSE") throw error;
    return listen(0);
  });
  return {
    url: `http://localhost:${(page.address() as AddressInfo).port}`,
    close: async () => {
      page.closeAllConnections();
      page.close();
      await once(page, "close");
    },
  };
}

function pageOf(mails: readonly ReadMail[]): string {
  const shown = mails.map(
    ({ to, from, subject, text }) => `<article>
<h2>${escaped(subject)}</h2>
<p>To ${escaped(to.join(", "))}, from ${escaped(from)}</p>
<pre>${withLinks(text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mailbox of the demo</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #0b100f) }
a { color: light-dark(#0b665d, #5fd3c4) }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
article { border: 1px solid GrayText; border-radius: 0.5rem; padding: 0 1rem; margin: 1rem 0 }
pre { font: inherit; white-space: pre-wrap }
</style>
<h1>Mailbox of the demo</h1>
<p>Each mail of the dashboard since the demo was started, newest first. Reload the page to see new ones.</p>
${shown.join("\n") || "<p>There is none yet.</p>"}
`;
}

/** Links of Gancho's own, as a mail program would make them. */
function withLinks(text: string): string {
  return escaped(text).replace(/https?:\/\/[^\s<>&"]+/g, (link) => `<a href="${link}">${link}</a>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

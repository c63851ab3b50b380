import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import { sendDue } from "@/lib/alerts/server/send";
import { checkPaymentService, checkReached } from "@/lib/cli/check-config/checks";
import { metadataAddress, newAttempt } from "@/lib/platform/auth/oidc/attempt";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { db } from "@/lib/platform/database/open";
import { findEndpoint } from "@/lib/platform/egress/egress";
import { egressRules } from "@/lib/platform/egress/rules";
import { env } from "@/lib/platform/env/env";
import { sendMail } from "@/lib/platform/mail/send-mail";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { Secret } from "@/lib/platform/runtime/secret";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { once } from "node:events";
import https from "node:https";
import net from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Makes each call that leaves Gancho once, and prints what came of them as JSON. Where nothing of the network is there but
 * this machine's own address, `WAY_OUT` is the file of a socket that leads to the proxy.
 */
const wayOut = process.env["WAY_OUT"];
const { outboundProxy, mail, oidc, environments } = env();
if (wayOut) {
  const relay = net.createServer((socket) => {
    const proxy = net.connect({ path: wayOut });
    for (const end of [socket, proxy]) end.on("error", () => undefined);
    socket.pipe(proxy).pipe(socket);
  });
  await once(relay.listen(outboundProxy?.port, "127.0.0.1").unref(), "listening");
}
if (!mail || !oidc) throw new Error("mail or single sign-on is not set up");

const requestId = "way-out";
const [client = "", secret = ""] = (process.env["CLIENT"] ?? "").split(" ");
const connection = {
  id: "a-connection",
  version: 1,
  baseUrl: environments.get("production") ?? "",
  clientId: client,
  clientSecret: new Secret(secret),
};
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: unknown) => errorCode(error) ?? String(error),
  );
const codeOf = (result: { ok: true } | { ok: false; fault: { code: string; applied: string } }) =>
  result.ok ? "ok" : `${result.fault.code}, applied: ${result.fault.applied}`;

await migrateToLatest(db());
const alert = { kind: "service_failing", environment: "production", since: 0 } as const;
await db()
  .transaction()
  .execute((trx) => enqueueAlert(trx, { ...alert, problem: "upstream_timeout" }, { once: null }));

const { httpOptions } = newAttempt(oidc, "a").provider;

const endpoint = await findEndpoint(process.env["ENDPOINT"] ?? "", await egressRules());
const checked = endpoint.found
  ? (await endpoint.post({ body: "{}", userAgent: "gancho/test", authorization: null })).outcome
  : null;

console.log(
  JSON.stringify({
    interfaces: Object.keys(networkInterfaces()),
    reading: codeOf(await partnerApi().list(connection, { requestId })),
    save: codeOf(
      await partnerApi().register(
        connection,
        { type: null, url: "https://partner.example/", authorization: null },
        { requestId },
      ),
    ),
    endpointCheck: checked && (checked.kind === "answered" ? checked.status : checked.because),
    mail: await outcomeOf(
      sendMail(mail, { to: "ana@aurora.example", subject: "A mail", text: "It arrived." }),
    ),
    alert: await alerted(),
    singleSignOn: await outcomeOf(metadata(oidc.issuer)),
    checkConfig: [...(await checkPaymentService(env())), ...(await checkReached(env()))],
  }),
);
await db().destroy();
process.exit();

async function alerted(): Promise<string> {
  await sendDue("webhook", async () => true);
  const row = await db().selectFrom("alert_deliveries").selectAll().executeTakeFirstOrThrow();
  return row.fault ?? row.state;
}

/** With the options of single sign-on's own requests. */
async function metadata(issuer: string): Promise<void> {
  const request = https.get(metadataAddress(issuer), httpOptions ?? {});
  const [answer] = (await once(request, "response")) as [NodeJS.ReadableStream];
  answer.resume();
}

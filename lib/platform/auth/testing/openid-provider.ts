import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import * as z from "zod";

const account = z.looseObject({ sub: z.string() });
export type Claims = z.infer<typeof account>;
type Accounts = Map<string, Claims>;

type Options = {
  /** With TLS, under this name. */
  tls?: { name: string; certificate: https.ServerOptions };
  /** 0: any free one. */
  port?: number;
  clientSecret?: string;
  /** What it calls itself on its page. */
  name?: string;
  /** On its page, each with a button. */
  people?: readonly Claims[];
};

/**
 * A real OpenID Connect provider on this machine. Its sign-in page vouches for any typed claims, so that every test has
 * its own person; `sub` is one of them. `redirectUri`: where it may send people back to.
 */
export async function startOpenIdProvider(
  redirectUri: string,
  { tls, port = 0, clientSecret = randomUUID(), name = "Example ID", people = [] }: Options = {},
) {
  const server = tls ? https.createServer(tls.certificate) : createServer();
  const listening = await listenHere(server, port);
  const issuer = tls ? `https://${tls.name}:${listening}` : `http://127.0.0.1:${listening}`;
  const clientId = "gancho";
  const page = pageOf(name, people);

  const accounts: Accounts = new Map();
  let agoSeconds = 0;
  const { origin } = new URL(redirectUri);
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [`${origin}/sign-in`],
    backchannel_logout_uri: `${origin}/api/auth/back-channel-logout`,
    backchannel_logout_session_required: true,
  };
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, await configuration(client, privateKey, accounts));
  const answerOthers = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/interaction/")) {
      void interact(provider, { accounts, agoSeconds, page }, request, response);
    } else {
      void answerOthers(request, response);
    }
  });
  return {
    issuer,
    clientId,
    clientSecret,
    /** A token that it signs, as it signs ID tokens. */
    signed: (claims: Record<string, unknown>) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).sign(privateKey),
    /** Whoever signs in from now on did so as long ago, as far as it knows. */
    signedInBefore: (seconds: number) => void (agoSeconds = seconds),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function configuration(
  client: ClientMetadata & { client_id: string },
  privateKey: CryptoKey,
  accounts: Accounts,
): Promise<Configuration> {
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" }] },
    clients: [client],
    cookies: { keys: [randomUUID()] },
    claims: { openid: ["sub"], email: ["email", "email_verified", "groups"], profile: ["name"] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      // Its own page loads fonts from elsewhere.
      rpInitiatedLogout: { logoutSource: (ctx, form) => void (ctx.body = leavingPage(form)) },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => accounts.get(id) ?? { sub: id },
    }),
    // Skips the consent screen.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: client.client_id,
        accountId: oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

async function interact(
  provider: Provider,
  { accounts, agoSeconds, page }: { accounts: Accounts; agoSeconds: number; page: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === "GET") {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
    return;
  }
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  if (form.has("cancel")) {
    await provider.interactionFinished(request, response, { error: "access_denied" });
    return;
  }
  const claims = account.parse(JSON.parse(form.get("claims") ?? ""));
  accounts.set(claims.sub, claims);
  await provider.interactionFinished(request, response, {
    login: {
      accountId: claims.sub,
      remember: false,
      ts: Math.floor(Date.now() / 1_000) - agoSeconds,
    },
  });
}

const leavingPage = (form: string) => `<!doctype html>
<html lang="en">
  <head><title>Sign out</title><link rel="icon" href="data:," /></head>
  <body>
    ${form}
    <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>
  </body>
</html>`;

const pageOf = (name: string, people: readonly Claims[]) => `<!doctype html>
<html lang="en">
  <head>
    <meta name="viewport" content="width=device-width" />
    <title>${name}</title>
    <link rel="icon" href="data:," />
    <style>:root { color-scheme: light dark; font-family: system-ui, sans-serif } input { width: 100% }</style>
  </head>
  <body>
    <h1>${name}</h1>
    <form method="post">${people.map(buttonOf).join("")}</form>
    <form method="post">
      <label>Claims <input name="claims" /></label>
      <button>Continue</button>
      <button name="cancel" value="1">Cancel</button>
    </form>
  </body>
</html>`;

function buttonOf(claims: Claims): string {
  const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const { name, groups } = claims;
  return `<p><button name="claims" value="${escaped(JSON.stringify(claims))}">${escaped(String(name))}</button> ${escaped(String(groups))}</p>`;
}

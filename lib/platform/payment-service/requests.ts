import "server-only";
import { isLoopback } from "@/lib/platform/env/is-loopback";
import { Secret } from "@/lib/platform/runtime/secret";
import type { CallLimits } from "@/lib/platform/payment-service/transport/caller";
import { contractPaths, type Wire } from "@/lib/platform/payment-service/contract/terms";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import {
  type Judgement,
  judgeBadBody,
  judgeFailure,
} from "@/lib/platform/payment-service/answers/judgement";
import { judgeList, judgeToken } from "@/lib/platform/payment-service/answers/read-answer";
import type { WireAnswer, WireRequest } from "@/lib/platform/payment-service/transport/transport";
import type { PartnerConnection, RegisterInput } from "./types";

/** One of the three calls: its request, and the meaning of an answer. */
export type UpstreamCall<T> = {
  name: Fault["during"];
  /** Built just before sending, since it holds revealed secrets; null for an address that must not be called. */
  request: () => WireRequest | null;
  judge: (answer: WireAnswer) => Judgement<T>;
  /** Not begun with less time left than this, milliseconds. */
  minMs: number;
};

/** Section 4.1. The credentials are joined in UTF-8, as RFC 7617 lets a service expect. */
export function tokenCall(connection: PartnerConnection, userAgent: string, limits: CallLimits) {
  const credentials = credentialsOf(connection);
  return {
    name: "token",
    request: () =>
      build(connection, "POST", contractPaths.token, {
        userAgent,
        authorization: `Basic ${Buffer.from(credentials.reveal(), "utf8").toString("base64")}`,
        body: { grant_type: "client_credentials" } satisfies Wire["TokenRequest"],
        bodyLimit: limits.tokenBodyBytes,
      }),
    judge: (answer: WireAnswer) => judgeToken(answer, ownSecrets(connection)),
    minMs: 0,
  } satisfies UpstreamCall<unknown>;
}

/** Section 4.2, always with the Bearer token: the Basic value of its header example would give the secret away. */
export function listCall(
  connection: PartnerConnection,
  token: Secret,
  userAgent: string,
  limits: CallLimits,
) {
  return {
    name: "list",
    request: () =>
      build(connection, "GET", contractPaths.webhooks, {
        userAgent,
        authorization: `Bearer ${token.reveal()}`,
        body: null,
        bodyLimit: limits.listBodyBytes,
      }),
    judge: (answer: WireAnswer) => judgeList(answer, [...ownSecrets(connection), token]),
    minMs: 0,
  } satisfies UpstreamCall<unknown>;
}

/** Section 4.3. The combined form of `type` is never sent: left out means both. */
export function registerCall(
  connection: PartnerConnection,
  input: RegisterInput,
  token: Secret,
  userAgent: string,
  limits: CallLimits,
) {
  const { type, url, authorization } = input;
  const secrets = [...ownSecrets(connection), token, ...(authorization ? [authorization] : [])];
  return {
    name: "register",
    request: () =>
      build(connection, "POST", contractPaths.webhooks, {
        userAgent,
        authorization: `Bearer ${token.reveal()}`,
        body: {
          url,
          ...(type === null ? {} : { type }),
          ...(authorization === null ? {} : { authorization: authorization.reveal() }),
        } satisfies Wire["WebhookRegistration"],
        bodyLimit: limits.otherBodyBytes,
      }),
    judge: (answer: WireAnswer) => judgeRegister(answer, secrets),
    minMs: limits.minWriteMs,
  } satisfies UpstreamCall<unknown>;
}

function credentialsOf({ clientId, clientSecret }: PartnerConnection): Secret {
  return new Secret(`${clientId}:${clientSecret.reveal()}`);
}

/** The secrets of a connection that a service could quote; joined, for their Base64. */
function ownSecrets(connection: PartnerConnection): Secret[] {
  return [connection.clientSecret, credentialsOf(connection)];
}

type Parts = {
  userAgent: string;
  authorization: string;
  body: Record<string, string> | null;
  bodyLimit: number;
};

function build(
  { baseUrl }: PartnerConnection,
  method: WireRequest["method"],
  path: string,
  { userAgent, authorization, body, bodyLimit }: Parts,
): WireRequest | null {
  const url = endpoint(baseUrl, path);
  if (!url) return null;
  return {
    method,
    url,
    headers: {
      "user-agent": userAgent,
      accept: "application/json",
      // Bodies are small; compressed ones would only need more checks.
      "accept-encoding": "identity",
      authorization,
      ...(body === null ? {} : { "content-type": "application/json" }),
    },
    body: body === null ? null : JSON.stringify(body),
    bodyLimit,
  };
}

/**
 * What an answer of the registration means, section 4.3. The contract does not show the body of a 200, so bodies are
 * ignored; only that the answer came to its end counts.
 */
function judgeRegister(answer: WireAnswer, secrets: readonly Secret[]): Judgement<200 | 201> {
  if (answer.kind === "failed" || (answer.status !== 200 && answer.status !== 201)) {
    return judgeFailure("register", answer, secrets);
  }
  if (answer.body.state === "cut" || answer.body.state === "late") {
    return judgeBadBody("register", answer, { retryable: false });
  }
  return { kind: "done", value: answer.status };
}

/**
 * The address of an operation (section 4: `{base_url}` and a path), or null where secrets may not be sent to the base
 * address: only to https, or plain http to this machine itself.
 */
export function endpoint(baseUrl: string, path: string): URL | null {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return null;
  }
  const plain = url.protocol === "http:" && isLoopback(url);
  if (url.protocol !== "https:" && !plain) return null;
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}

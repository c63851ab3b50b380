import "server-only";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import { isRefusal, logRefusal } from "@/lib/platform/access/log-refusal";
import {
  clientAddress,
  signedInAsHeader,
  type RequestContext,
} from "@/lib/platform/http/model/request-context";
import { withinMs } from "@/lib/platform/database/deadline";
import { isDatabaseUnavailable, watchingWrites } from "@/lib/platform/database/unavailable";
import { countChange, groupOf, keepingCount, type ChangeBy } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log/log";
import { currentRequestId, loggedPath, requestNote } from "@/lib/platform/log/request-note";
import {
  databaseRetryAfter,
  problemBody,
  type Problem,
  ProblemError,
} from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import { requestTimings } from "@/lib/platform/runtime/timings";
import * as z from "zod/mini";
import { readJsonText, parseStrictJson } from "./read-body";
import { env } from "@/lib/platform/env/env";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof methods)[number];

/** As the framework fills them in from the address; a route types its own more precisely. */
type Params = Record<string, string | string[] | undefined>;
type Call<P extends Params, Access> = {
  request: Request;
  params: P;
  access: Access;
  requestId: string;
  context: RequestContext;
};

type Read<P extends Params, Access> = {
  /** Throws a problem where access is denied; its result is passed on. */
  access: (params: P) => Promise<Access>;
  handle: (call: Call<P, Access>) => Promise<unknown>;
};

type Write<P extends Params, Access, Body> = {
  /**
   * A way of signing in without the provider, or of inviting somebody to: where the provider is the only way in, it
   * answers as if there were nothing.
   */
  ofOwnSignIn?: true;
  access: (params: P) => Promise<Access>;
  /** Strict: unknown keys are refused. */
  body: () => z.ZodMiniType<Body>;
  /**
   * Whether this request only takes away what a counted one gave: access, a session, an invitation, a proposal. It has
   * no limit: it must succeed whatever others have used up, and each thing that was given is taken away once. It must
   * add no entry where there was nothing to take away.
   */
  takesAway?: (body: Body) => boolean;
  /** 200 where left out. */
  status?: 201;
  handle: (call: Call<P, Access> & { body: Body }) => Promise<unknown>;
};

/** One method of a route, ready to be mounted by `routes`. */
type MethodHandler = (call: Omit<Call<Params, unknown>, "access" | "context">) => Promise<Response>;

export function read<P extends Params, Access>(definition: Read<P, Access>): MethodHandler {
  return async ({ request, params, requestId }) => {
    const own = params as P;
    const context = contextOf(request, requestId);
    const access = await definition.access(own);
    return asResponse(
      await definition.handle({ request, params: own, requestId, context, access }),
    );
  };
}

/**
 * A mutation's defences, top to bottom: origin, content type, size, session and permission, whose page it is, JSON,
 * shape, and how many the person, and the partner's people together, made lately. So no mutation that takes a session
 * is without a limit, except those that take away.
 */
export function write<P extends Params, Access, Body>(
  definition: Write<P, Access, Body>,
): MethodHandler {
  return async ({ request, params, requestId }) => {
    const own = params as P;
    let mayHaveWritten = () => false;
    if (definition.ofOwnSignIn && env().oidc?.isOnlyWay)
      throw new ProblemError("not_found", { applied: "no" });
    try {
      requireSameOrigin(request.headers);
      const text = await readJsonText(request);
      const context = { ...contextOf(request, requestId), arrivedAt: performance.now() };
      const { access, body, counted } = await withinMs(requestTimings.checksMs, async () => {
        // After the body: a caller who holds it back could otherwise act after the session's end.
        const access = await definition
          .access(own)
          .finally(() => requirePageOfPerson(request.headers));
        const json = parseStrictJson(text);
        const body = parseFields(definition.body(), json);
        const counted = definition.takesAway?.(body) ? null : actingIn(access);
        if (counted) await countChange(counted);
        return { access, body, counted };
      });
      const handle = () =>
        watchingWrites((asked) => {
          mayHaveWritten = asked;
          return definition.handle({ request, params: own, requestId, context, access, body });
        });
      const said = await (counted ? keepingCount(counted, handle) : handle());
      return asResponse(said, definition.status);
    } catch (thrown) {
      // Nothing is sent to the payment service before it is recorded.
      if (isDatabaseUnavailable(thrown)) thrown.applied ??= mayHaveWritten() ? "unknown" : "no";
      throw thrown;
    }
  };
}

/** The response to what a method returned: a response as it is, or a body; nothing becomes an empty object. */
function asResponse(said: unknown, status = 200): Response {
  return said instanceof Response ? said : Response.json(said ?? {}, { status });
}

/**
 * Somebody who signed in since, in another tab, has not seen what this page would change. A caller that names nobody,
 * such as a script, has no page.
 */
function requirePageOfPerson(headers: Headers): void {
  const drawnFor = headers.get(signedInAsHeader);
  const userId = requestNote()?.userId ?? drawnFor;
  if (drawnFor !== null && drawnFor !== userId)
    throw new ProblemError("signed_in_as_another", { applied: "no" });
}

function contextOf({ headers }: Request, requestId: string): RequestContext {
  return { requestId, clientAddress: clientAddress(headers) };
}

const id = z.object({ id: z.string() });
const acting = z.union([
  // At their own account; a caller elsewhere also has a session, and counts as a person.
  z.object({ session: z.object({ idHash: z.string() }), codesMissing: z.boolean() }),
  z.object({ viewer: id, partner: id, role: z.string() }),
  z.object({ viewer: id }),
  id,
]);

/** The access that `lib/platform/access` granted; null for a public route. */
function actingIn(access: unknown): ChangeBy | null {
  const { data } = acting.safeParse(access);
  if (!data) return null;
  if ("codesMissing" in data) return { session: data.session.idHash };
  if ("partner" in data) return { person: data.viewer.id, group: groupOf(data) };
  return { person: "viewer" in data ? data.viewer.id : data.id, group: null };
}

type NextHandler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/**
 * Every route handler goes through here: methods that are not offered answer 405 with Allow, anything thrown becomes a
 * problem, caches store nothing, and one log line records the outcome; for a refusal, also the person.
 */
export function routes(
  name: string,
  offered: Partial<Record<Method, MethodHandler>>,
): Record<Method, NextHandler> {
  const allow = methods
    .filter((method) => offered[method] ?? (method === "HEAD" && offered.GET))
    .join(", ");
  const handlers = methods.map((method): [Method, NextHandler] => {
    const handler = offered[method] ?? (method === "HEAD" ? offered.GET : undefined);
    return [
      method,
      (request, context) => inFlight(answer(name, method, allow, handler, request, context)),
    ];
  });
  return Object.fromEntries(handlers) as Record<Method, NextHandler>;
}

async function answer(
  name: string,
  method: Method,
  allow: string,
  handler: MethodHandler | undefined,
  request: Request,
  context: { params: Promise<Params> },
): Promise<Response> {
  const started = performance.now();
  const requestId = currentRequestId();
  const params = await context.params;
  const { response, code } = await respond(handler, { request, params, requestId });
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", requestId);
  if (!handler) response.headers.set("allow", allow);
  const ms = since(started);
  const path = loggedPath(new URL(request.url).pathname);
  const line = { requestId, method, path, status: response.status, ms };
  const note = requestNote();
  if (note) note.isLogged = true;
  if (code && isRefusal(code)) await logRefusal(code, line, request.headers);
  else {
    // Probes come every few seconds, and only their failures matter.
    const level = name.startsWith("health.") && response.ok ? "debug" : "info";
    const address = clientAddress(request.headers);
    const calls = note?.calls ?? [];
    log[level](
      {
        ...line,
        ...(note?.userId && { userId: note.userId }),
        clientAddress: address,
        ...(calls.length > 0 && { calls }),
      },
      "request",
    );
  }
  return response;
}

/** `code`: of the problem in the response; null where there is none. */
type Answered = { response: Response; code: ProblemCode | null };

async function respond(
  handler: MethodHandler | undefined,
  call: Parameters<MethodHandler>[0],
): Promise<Answered> {
  const { requestId } = call;
  if (!handler) return problemAnswer(problemBody("method_not_allowed", requestId));
  try {
    return { response: await handler(call), code: null };
  } catch (thrown) {
    return problemAnswer(problemOf(thrown, requestId, call.request.signal));
  }
}

function problemAnswer(problem: Problem): Answered {
  return { response: problemResponse(problem), code: problem.code };
}

function problemOf(thrown: unknown, requestId: string, signal: AbortSignal): Problem {
  // The client has left, which is what stopped the work.
  if (signal.aborted && thrown === signal.reason)
    return problemBody("malformed_request", requestId, { detail: "The caller went away." });
  const problem = toProblem(thrown, requestId);
  if (problem.code === "internal_error")
    log.error({ requestId, err: thrown }, "unexpected failure");
  if (problem.code === "database_unavailable")
    log.warn({ requestId, err: thrown }, "the database is not available");
  return problem;
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}

/** The body of a mutation whose address says everything: an empty object, so that it is still JSON. */
export const emptyBody = z.strictObject({}, { error: "unknown_field" });

/** The parsed body, or `invalid_fields` with one error a field. */
export function parseFields<Body>(schema: z.ZodMiniType<Body>, json: unknown): Body {
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return parsed.data;
  throw new ProblemError("invalid_fields", {
    applied: "no",
    errors: fieldErrors(parsed.error.issues),
  });
}

/** RFC 9457. Repeats Retry-After as a header for generic clients. */
function problemResponse(problem: Problem): Response {
  return Response.json(problem, {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      ...(problem.retryAfter === undefined ? {} : { "retry-after": String(problem.retryAfter) }),
      // The unread rest of the body would precede the connection's next request.
      ...(problem.code === "body_too_large" ? { connection: "close" } : {}),
    },
  });
}

/** Converts anything thrown into a problem. Anything unexpected is `internal_error` and reveals nothing internal. */
function toProblem(thrown: unknown, requestId: string): Problem {
  if (thrown instanceof ProblemError) return problemBody(thrown.code, requestId, thrown.init);
  if (isDatabaseUnavailable(thrown))
    return problemBody("database_unavailable", requestId, {
      retryable: true,
      retryAfter: databaseRetryAfter,
      ...(thrown.applied && { applied: thrown.applied }),
    });
  return problemBody("internal_error", requestId, { retryable: true });
}

/**
 * Cross-site request forgery: a mutation must come from our pages. Three independent signs, each of which another site
 * cannot forge from a browser: the exact Origin, `X-Requested-By: gancho` (which forces a preflight that we never
 * answer), and Sec-Fetch-Site where the browser sends it. It does not prove who sends it; the session does.
 */
function requireSameOrigin(headers: Headers): void {
  if (
    headers.get("origin") !== env().url.origin ||
    headers.get("x-requested-by") !== "gancho" ||
    !isSameSite(headers)
  )
    throw new ProblemError("wrong_origin", { applied: "no" });
}

function isSameSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null || site === "same-origin";
}

import { idlePageHeader, signedInAsHeader } from "@/lib/platform/http/model/request-context";
import type { ClientProblem } from "./client-problem";

export type { ClientProblem } from "./client-problem";

/** How a request to the dashboard's HTTP interface failed. */
export type RequestFailure =
  | { kind: "problem"; problem: ClientProblem }
  /** No answer, or one that is not Gancho's: whether the request arrived is not known, unless it was never sent. */
  | { kind: "no_answer"; unsent?: true };

export type JsonAnswer = { kind: "ok"; body: unknown } | RequestFailure;

/** A path of the dashboard's HTTP interface. */
export function apiPath(...parts: string[]): string {
  return `/api/${parts.map(encodeURIComponent).join("/")}`;
}

type JsonRequest = {
  /** Makes it a mutation. */
  body?: unknown;
  /** Of a mutation; POST where left out. */
  method?: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Milliseconds for the whole exchange. */
  timeout: number;
  signal?: AbortSignal;
  /** The caller itself prompts for the step-up when the answer requires it. */
  stepsUp?: boolean;
};

/** The person for whom the page was drawn, while it is. */
let viewer: string | null = null;

/** Sets whose page this is: its mutations name them. Returns a function that ends it. */
export function drawnFor(person: string): () => void {
  viewer = person;
  return () => {
    if (viewer === person) viewer = null;
  };
}

/** Prompts the person to confirm their identity, with a passkey alone if so required; false where they cancel. */
type Prompt = (method: "passkey" | "any") => Promise<boolean>;

let prompt: Prompt | null = null;
let pending: Promise<boolean> | null = null;

/**
 * Sets the prompt, in place of the one before. Returns a function that brings that one back; a prompt that is still
 * open then counts as cancelled.
 */
export function askStepUpBy(show: Prompt): () => void {
  const before = prompt;
  let leave = () => {};
  const left = new Promise<boolean>((end) => (leave = () => end(false)));
  const own: Prompt = (method) => Promise.race([show(method), left]);
  prompt = own;
  return () => {
    leave();
    if (prompt === own) prompt = before;
  };
}

/** One prompt, however many requests wait for it. */
function stepUp({ method }: ClientProblem): Promise<boolean> {
  pending ??= (prompt?.(method ?? "any") ?? Promise.resolve(false)).finally(() => (pending = null));
  return pending;
}

/**
 * Calls the dashboard's HTTP interface; when the answer requires a step-up, prompts the person and then calls once
 * more. Never throws, except when `signal` ends it. `path` is a path of ours.
 */
export async function fetchJson(path: string, request: JsonRequest): Promise<JsonAnswer> {
  const answer = await exchange(path, request);
  if (answer.kind !== "problem" || answer.problem.code !== "reauthentication_required")
    return answer;
  return !request.stepsUp && (await stepUp(answer.problem)) ? exchange(path, request) : answer;
}

/** Nobody has touched this page for a minute: its own requests are not its person's activity. */
const idleAfterMs = 60_000;
let lastInputAt = 0;
if (typeof window !== "undefined")
  for (const input of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(input, () => (lastInputAt = performance.now()), {
      capture: true,
      passive: true,
    });

/** A tab that stays open reads again every minute, and must not keep its session alive for ever. */
function idleHeader(): Record<string, string> {
  return performance.now() - lastInputAt > idleAfterMs ? { [idlePageHeader]: "1" } : {};
}

/**
 * A browser that reports no network may still reach a Gancho on the same machine. So it sends a mutation only where a
 * request that changes nothing arrives, and a mutation that was not sent is known not to have been.
 */
async function isOffline(): Promise<boolean> {
  return !navigator.onLine && !(await ganchoAnswers());
}

/** Whether Gancho answers a request that changes nothing. */
export async function ganchoAnswers(): Promise<boolean> {
  const signal = AbortSignal.timeout(probeTimeout);
  return fetch("/api/health/live", { method: "HEAD", cache: "no-store", signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

const probeTimeout = 3_000;

async function exchange(path: string, request: JsonRequest): Promise<JsonAnswer> {
  if (request.body !== undefined && (await isOffline())) return { kind: "no_answer", unsent: true };
  const timeout = AbortSignal.timeout(request.timeout);
  try {
    const response = await fetch(path, {
      ...(request.body === undefined
        ? { headers: idleHeader() }
        : mutation(request.method ?? "POST", request.body)),
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      cache: "no-store",
      // An answer from elsewhere, such as a sign-in page in between, is not Gancho's.
      redirect: "error",
    });
    const body: unknown = await response.json();
    if (response.ok) return { kind: "ok", body };
    // Only failures need parsing: the parser is not part of a page's first load.
    const { readProblem } = await import("./client-problem");
    const problem = readProblem(body);
    return problem ? { kind: "problem", problem } : { kind: "no_answer" };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return { kind: "no_answer" };
  }
}

function mutation(method: string, body: unknown): RequestInit {
  return {
    method,
    headers: {
      "content-type": "application/json",
      "x-requested-by": "gancho",
      ...(viewer !== null && { [signedInAsHeader]: viewer }),
    },
    body: JSON.stringify(body),
  };
}

/** The outcome of a mutation. `failed` leaves open whether it happened only where no answer came. */
export type Sent<Result> =
  { kind: "done"; result: Result } | { kind: "failed"; failure: RequestFailure };

type Sending<Result> = Omit<JsonRequest, "body"> & {
  body: unknown;
  /** What the answer holds; undefined for one that is not Gancho's. It may reject where its code does not load. */
  parse: (body: unknown) => Result | undefined | Promise<Result | undefined>;
};

/**
 * Sends a mutation to the dashboard's HTTP interface, once. `path` is a path of ours. Never throws, except when `signal`
 * ends it.
 */
export async function sendJson<Result>(
  path: string,
  { parse, ...request }: Sending<Result>,
): Promise<Sent<Result>> {
  const answer = await fetchJson(path, request);
  if (answer.kind !== "ok") return { kind: "failed", failure: answer };
  // The parser of the answer may have to be loaded first.
  const result = await Promise.resolve(answer.body)
    .then(parse)
    .catch(() => undefined);
  return result === undefined
    ? { kind: "failed", failure: { kind: "no_answer" } }
    : { kind: "done", result };
}

/** Thrown by a query: why the read failed. */
export class ReadFailure extends Error {
  override readonly name: string = "ReadFailure";
  readonly failure: RequestFailure;
  constructor(failure: RequestFailure) {
    super(failure.kind === "problem" ? failure.problem.code : failure.kind);
    this.failure = failure;
  }
}

type Reading<Result> = Pick<Sending<Result>, "timeout" | "parse"> & { signal: AbortSignal };

/** Reads `path` of the dashboard's HTTP interface. Throws `ReadFailure`, or the abort reason of `signal`. */
export async function readJson<Result>(path: string, request: Reading<Result>): Promise<Result> {
  // Without a body it changes nothing.
  const answer = await sendJson<Result>(path, { ...request, body: undefined });
  if (answer.kind === "failed") throw new ReadFailure(answer.failure);
  return answer.result;
}

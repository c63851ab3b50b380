import { fetchJson, type Failure } from "./fetch-json";

/** The outcome of a mutation. `failed` leaves open whether it happened only where no answer came. */
export type Sent<Result> = { kind: "done"; result: Result } | { kind: "failed"; failure: Failure };

type Sending<Result> = Omit<Parameters<typeof fetchJson>[1], "body"> & {
  body: unknown;
  /** What the answer holds; undefined for one that is not Gancho's. */
  parse: (body: unknown) => Result | undefined | Promise<Result | undefined>;
};

/** Sends a mutation to the dashboard's HTTP interface, once. `path` is a path of ours. Never throws. */
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

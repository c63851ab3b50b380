import { fetchJson, type Failure } from "./fetch-json";

/** Thrown by a query: why the read failed. */
export class ReadFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind === "problem" ? failure.problem.code : failure.kind);
    this.name = "ReadFailure";
    this.failure = failure;
  }
}

type Reading<Shape> = {
  /** Milliseconds. */
  timeout: number;
  signal: AbortSignal;
  /** undefined for an answer that is not Gancho's. It may reject where the schema's code does not load. */
  parse: (body: unknown) => Shape | undefined | Promise<Shape | undefined>;
};

/** Reads `path` of the dashboard's HTTP interface. Throws `ReadFailure`, or the abort reason of `signal`. */
export async function readJson<Shape>(
  path: string,
  { parse, ...request }: Reading<Shape>,
): Promise<Shape> {
  const answer = await fetchJson(path, request);
  if (answer.kind !== "ok") throw new ReadFailure(answer);
  const shape = await Promise.resolve(answer.body)
    .then(parse)
    .catch(() => undefined);
  if (shape === undefined) throw new ReadFailure({ kind: "no_answer" });
  return shape;
}

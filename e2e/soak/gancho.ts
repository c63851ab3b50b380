import { configurationSchema, saveResultSchema } from "@/lib/webhooks/model/configuration";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { Agent, request } from "undici";
import * as z from "zod";
import { markNeedles } from "@/e2e/canaries/canary";
import { searcherFor, type Finding } from "@/e2e/canaries/search";

type Person = { cookie: string };
type Partner = { id: string; environment: string };

export type Gancho = ReturnType<typeof ganchoAt>;

type Answered = {
  status: number;
  ms: number;
  code: string | null;
  requestId: string;
  /** Planted secrets that the answer contains. */
  secrets: Finding[];
};
export type SaveAnswer = Answered & {
  applied: "no" | "unknown" | null;
  result: Pick<z.infer<typeof saveResultSchema>, "outcome" | "results"> | null;
  /** It waits for a second person. */
  waits: boolean;
};

/** `outcome`: also of what has no result, such as "none". */
export type OperationAnswer = Answered & {
  outcome: string | null;
  result: SaveAnswer["result"];
};

const problem = z.object({
  code: z.string(),
  requestId: z.string(),
  retryable: z.boolean(),
  applied: z.enum(["no", "unknown"]).optional(),
});
const outcome = z.object({
  outcome: saveResultSchema.shape.outcome,
  results: saveResultSchema.shape.results,
});

const findSecrets = searcherFor(markNeedles);

/**
 * A running dashboard, called as its pages would. `origin`: its public address, where that differs from the address
 * that is called.
 */
export function ganchoAt(url: string, origin = url) {
  const agent = new Agent({ connections: 1_024, headersTimeout: 60_000, bodyTimeout: 60_000 });

  async function call(person: Person, partner: Partner, sent?: object, path = "webhooks") {
    const startedAt = performance.now();
    const answer = await request(
      `${url}/api/partners/${partner.id}/${partner.environment}/${path}`,
      {
        dispatcher: agent,
        method: sent ? "POST" : "GET",
        headers: {
          cookie: person.cookie,
          origin,
          "x-requested-by": "gancho",
          ...(sent && { "content-type": "application/json" }),
        },
        body: sent ? JSON.stringify(sent) : null,
      },
    );
    const text = await answer.body.text();
    const body: unknown = JSON.parse(text);
    const ms = performance.now() - startedAt;
    const failed = answer.statusCode >= 400 ? problem.parse(body) : null;
    const requestId = String(answer.headers["x-request-id"]);
    const secrets = findSecrets(Buffer.from(text + JSON.stringify(answer.headers)));
    const answered = {
      status: answer.statusCode,
      ms,
      code: failed?.code ?? null,
      requestId,
      secrets,
    };
    return { answered, failed, body };
  }

  function answerIn({ answered, failed, body }: Awaited<ReturnType<typeof call>>): SaveAnswer {
    const waits = z.object({ outcome: z.literal("waiting") }).safeParse(body).success;
    const result = outcome.safeParse(body).data ?? null;
    return { ...answered, applied: failed?.applied ?? null, result, waits };
  }

  return {
    url,
    read: async (person: Person, partner: Partner) => {
      const { answered, failed, body } = await call(person, partner);
      return { ...answered, configuration: failed ? null : configurationSchema.parse(body) };
    },
    save: async (person: Person, partner: Partner, saveRequest: SaveRequest) =>
      answerIn(await call(person, partner, saveRequest)),
    /** Decides on a save that waits for a second person. */
    decide: async (person: Person, partner: Partner, id: string, decision: Decision) =>
      answerIn(await call(person, partner, decision, `proposals/${id}`)),
    /** The outcome of a save, by its operation's id. */
    ask: async (person: Person, partner: Partner, operation: string): Promise<OperationAnswer> => {
      const { answered, body } = await call(person, partner, undefined, `operations/${operation}`);
      const named = z.object({ outcome: z.string() }).safeParse(body);
      const result = outcome.safeParse(body);
      return { ...answered, outcome: named.data?.outcome ?? null, result: result.data ?? null };
    },
    /** Closes the connections to it. */
    close: () => agent.destroy(),
  };
}

import type { IncomingHttpHeaders } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { z } from "zod";
import contract from "@/lib/platform/payment-service/contract/openapi.json";

/** What a program answered, as it came. */
export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

const ajv = new Ajv2020({ strict: true });
ajv.addVocabulary(Object.keys(contract));
ajv.addSchema(contract, "contract");

const response = z.union([
  z.object({ $ref: z.string() }),
  z.object({ headers: z.record(z.string(), z.unknown()).default({}) }),
]);
const operation = z.object({ responses: z.record(z.string(), response) });
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({ responses: z.record(z.string(), response) }),
  })
  .parse(contract);

/** Fails if a path of the contract gave an answer (status, headers, body) that its document does not describe. */
export function expectDocumented(method: string, path: string, answer: Answer): void {
  const operations = document.paths[path];
  if (!operations) return;
  // An operation that does not exist has no responses of its own; those of its neighbours say 405.
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  const key = operations[name] ? name : (Object.keys(operations)[0] ?? "");
  const found = operations[key]?.responses[answer.status];
  expect(found, `${method} ${path} may answer ${answer.status}`).toBeDefined();
  if (!found) return;

  const pointer =
    "$ref" in found
      ? found.$ref
      : `#/paths/${path.replaceAll("/", "~1")}/${key}/responses/${answer.status}`;
  const shared = document.components.responses[pointer.split("/").at(-1) ?? ""];
  const headers =
    "$ref" in found ? (shared && "headers" in shared ? shared.headers : {}) : found.headers;
  for (const header of Object.keys(headers)) {
    expect(answer.headers, `${answer.status} has ${header}`).toHaveProperty(header.toLowerCase());
  }
  expect(answer.headers["content-type"]).toBe("application/json");
  if (method === "HEAD") {
    expect(answer.body).toBe("");
    return;
  }
  const validate = ajv.compile({ $ref: `contract${pointer}/content/application~1json/schema` });
  expect(validate(JSON.parse(answer.body)), ajv.errorsText(validate.errors)).toBe(true);
}

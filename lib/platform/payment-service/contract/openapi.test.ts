import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import contract from "./openapi.json";
import { eventKinds, limits, contractPaths, webhookTypes } from "./terms";

const { schemas } = contract.components;

test("wire.ts is what the document says: after a change, npm run contract:types", async () => {
  const file = fileURLToPath(new URL("./wire.ts", import.meta.url));
  // Also reads the whole document, and fails where it is no OpenAPI.
  const nodes = await openapiTS(new URL("./openapi.json", import.meta.url));
  const generated = await format(COMMENT_HEADER + astToString(nodes), {
    parser: "typescript",
    printWidth: 100,
  });
  expect(readFileSync(file, "utf8")).toBe(generated);
});

describe("terms.ts and the document say the same of", () => {
  test("paths", () => {
    expect(Object.keys(contract.paths)).toEqual(Object.values(contractPaths));
  });

  test("transaction types", () => {
    expect(schemas.WebhookType.enum).toEqual(webhookTypes);
    expect(schemas.WebhookRegistration.properties.type.enum).toEqual([
      ...webhookTypes,
      webhookTypes.join(", "),
      webhookTypes.join(","),
    ]);
  });

  test("limits", () => {
    const listed = schemas.WebhookConfiguration.properties;
    expect([schemas.CallbackUrl.maxLength, listed.callback_url.maxLength]).toEqual([
      limits.callbackUrl,
      limits.callbackUrl,
    ]);
    expect([
      schemas.AuthorizationValue.maxLength,
      listed.authorization.maxLength,
      listed.auth_header.maxLength,
    ]).toEqual([limits.authorization, limits.authorization, limits.authorization]);
    expect(listed.events.items.maxLength).toBe(limits.event);
  });

  test("event kinds", () => {
    const example =
      contract.paths["/api/v1/webhooks"].get.responses[200].content["application/json"].examples;
    const shown = example.both.value.webhooks.map(({ type, events }) => [type, events]);
    expect(Object.fromEntries(shown)).toEqual(eventKinds);
    const { description } = schemas.WebhookConfiguration.properties.events;
    for (const kind of Object.values(eventKinds).flat()) expect(description).toContain(kind);
  });
});

test("every example in the document is of the schema it stands beside", () => {
  const ajv = new Ajv2020({ strict: true });
  ajv.addVocabulary(Object.keys(contract));
  ajv.addSchema(contract, "contract");
  const found = mediaTypes(contract, "#");
  expect(found.length).toBeGreaterThan(10);
  for (const { pointer, examples } of found) {
    const validate = ajv.compile({ $ref: `contract${pointer}/schema` });
    for (const [name, { value }] of Object.entries(examples)) {
      expect(validate(value), `${pointer} ${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  }
});

const mediaType = z.object({
  schema: z.object({}),
  examples: z.record(z.string(), z.object({ value: z.unknown() })),
});

function mediaTypes(
  node: unknown,
  pointer: string,
): (z.infer<typeof mediaType> & { pointer: string })[] {
  if (typeof node !== "object" || node === null) return [];
  const parsed = mediaType.safeParse(node);
  if (parsed.success) return [{ ...parsed.data, pointer }];
  return Object.entries(node).flatMap(([key, child]) =>
    mediaTypes(child, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

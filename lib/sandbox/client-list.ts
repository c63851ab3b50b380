import { errorCode } from "@/lib/platform/runtime/error-code";
import { z } from "zod";
import { parseIpRange } from "./ip-list";
import { readFileSync } from "node:fs";
import { parseStrictJson } from "./strict-json";

// RFC 7617, section 2: no control characters in either half, and no colon in the user id.
const withoutControls = /^\P{Cc}+$/u;

const text = z
  .string()
  .max(200, "is longer than 200 characters")
  .regex(withoutControls, "is empty or has control characters");

/** A misspelt field would silently open a list or activate a user, so unknown ones are refused. */
const clientSchema = z.strictObject({
  client_id: text.refine((id) => !id.includes(":"), "has a colon, which Basic cannot carry"),
  client_secret: text,
  /** Left out: active. */
  active: z.boolean().optional(),
  /** Addresses and CIDR ranges. Left out: from anywhere; an empty list: from nowhere. */
  allowed_ips: z
    .array(z.string().refine(parseIpRange, "is not an IP address or CIDR range"))
    .optional(),
});

const listSchema = z.array(clientSchema);

/** A client in the file of SANDBOX_CLIENTS, or in data. */
export type SandboxClient = z.infer<typeof clientSchema>;

type ClientList = { ok: true; clients: SandboxClient[] } | { ok: false; problems: string[] };

/** Reads a list of clients; names the wrong field of every wrong entry, and never repeats a secret. */
export function parseClientList(value: unknown): ClientList {
  const parsed = listSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map(describeIssue) };
  }
  const ids = parsed.data.map((client) => client.client_id);
  const repeated = ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [index]));
  if (repeated.length > 0) {
    return {
      ok: false,
      problems: repeated.map(
        (index) => `entry ${index + 1}: client_id is that of an earlier entry`,
      ),
    };
  }
  return { ok: true, clients: parsed.data };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const [index, field, position] = issue.path;
  if (typeof index !== "number") return "is not a list of clients";
  const where = [
    `entry ${index + 1}`,
    field === undefined ? "" : `: ${String(field)}`,
    position === undefined ? "" : `[${String(position)}]`,
  ].join("");
  switch (issue.code) {
    case "unrecognized_keys":
      return `${where}: unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "invalid_type":
      return `${where} ${issue.input === undefined ? "is missing" : `is not ${article(issue.expected)}`}`;
    default:
      return `${where} ${issue.message}`;
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Reads the file of SANDBOX_CLIENTS. The problems complete a sentence that begins with the file's name. */
export function readClientsFile(path: string): ClientList {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, problems: [`cannot be read (${errorCode(error) ?? String(error)})`] };
  }
  const json = parseStrictJson(text);
  return json === null
    ? { ok: false, problems: ["is not JSON, or has a key twice"] }
    : parseClientList(json.value);
}

/**
 * The clients of a sandbox that was given none: the demo's partners. Their secrets are public on purpose, and say so.
 */
export const demoClients = [
  { client_id: "aurora", client_secret: "gancho-demo-only-aurora" },
  { client_id: "mercado", client_secret: "gancho-demo-only-mercado" },
  { client_id: "tiete", client_secret: "gancho-demo-only-tiete" },
  // Their clients in production, which in the demo is the same sandbox.
  { client_id: "aurora-live", client_secret: "gancho-demo-only-aurora-live" },
  { client_id: "mercado-live", client_secret: "gancho-demo-only-mercado-live" },
] as const satisfies readonly SandboxClient[];

import { errorCode } from "@/lib/platform/runtime/network-error";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { parseStrictJson } from "@/lib/platform/http/read-body";
import { z } from "zod";

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
  /** A second one that is accepted, too, as while a service rotates. */
  next_secret: text.optional(),
  /** Left out: active. */
  active: z.boolean().optional(),
  /** Addresses and CIDR ranges. Left out: from anywhere; an empty list: from nowhere. */
  allowed_ips: z
    .array(z.string().refine(parseRange, "is not an IP address or CIDR range"))
    .optional(),
});

const listSchema = z.array(clientSchema);

/** A client, as in the file of SANDBOX_CLIENTS. */
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
  let json: string;
  try {
    json = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, problems: [`cannot be read (${errorCode(error) ?? String(error)})`] };
  }
  try {
    return parseClientList(parseStrictJson(json));
  } catch {
    return { ok: false, problems: ["is not JSON, or repeats a key"] };
  }
}

/**
 * The clients of a sandbox that was given none: the demo's partners. Their secrets are public on purpose, and say so.
 */
export const demoClients = [
  demoClient("aurora"),
  demoClient("mercado"),
  demoClient("tiete"),
  // Their clients in production, which in the demo is the same sandbox.
  demoClient("aurora-live"),
  demoClient("mercado-live"),
] as const satisfies readonly SandboxClient[];

function demoClient<Id extends string>(client_id: Id) {
  const client_secret = `gancho-demo-only-${client_id}`;
  return { client_id, client_secret, next_secret: `${client_secret}-2` };
}

export type Client = { id: string; active: boolean };

export type ClientDirectory = {
  find(clientId: string): Client | undefined;
  /**
   * Whether the caller's address is on the client's list; without a client (undefined), whether it is on any list.
   * An unknown address (undefined) is on none.
   */
  allowsAddress(client: Client | undefined, address: string | undefined): boolean;
  /** Takes the same time for a wrong secret as for a client that does not exist (undefined). */
  secretMatches(client: Client | undefined, secret: string): boolean;
};

/** Who may call the sandbox. */
export function createClientDirectory(clients: readonly SandboxClient[]): ClientDirectory {
  const byId = new Map(
    clients.map(({ client_id, active = true }) => [client_id, { id: client_id, active }]),
  );
  const allowed = new Map(
    clients.map(({ client_id, allowed_ips }) => [client_id, allowed_ips && rangesOf(allowed_ips)]),
  );
  // Secrets of any length become digests of one length, under a key that nobody knows.
  const key = randomBytes(32);
  const digest = (secret: string) => createHmac("sha256", key).update(secret).digest();
  const digests = new Map(
    clients.map(({ client_id, client_secret, next_secret = client_secret }) => [
      client_id,
      [digest(client_secret), digest(next_secret)],
    ]),
  );
  const nobody = [randomBytes(32), randomBytes(32)];

  const isAllowed = (ranges: Ranges | undefined, address: string | undefined) =>
    !ranges || contains(ranges, address);

  return {
    find: (clientId) => byId.get(clientId),
    allowsAddress: (client, address) =>
      client
        ? isAllowed(allowed.get(client.id), address)
        : [...allowed.values()].some((ranges) => isAllowed(ranges, address)),
    secretMatches(client, secret) {
      const expected = digests.get(client?.id ?? "") ?? nobody;
      const given = digest(secret);
      const matches = expected.filter((each) => timingSafeEqual(given, each));
      return matches.length > 0 && client !== undefined;
    },
  };
}

type Range = { address: string; prefix: number; family: Family };
type Family = "ipv4" | "ipv6";

/** Reads an address (`192.0.2.1`) or a CIDR range (`192.0.2.0/24`, `2001:db8::/32`); null if it is neither. */
function parseRange(range: string): Range | null {
  const [address = "", prefix, ...more] = range.split("/");
  const family = familyOf(address);
  if (family === null || address.includes("%") || more.length > 0) return null;
  const bits = family === "ipv4" ? 32 : 128;
  if (prefix !== undefined && !(/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits))
    return null;
  return { address, prefix: Number(prefix ?? bits), family };
}

function familyOf(address: string): Family | null {
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? "ipv4" : "ipv6";
}

/** By the family of the caller: `::/0` is every IPv6 caller, and no IPv4 one. */
type Ranges = Record<Family, BlockList>;

function rangesOf(written: readonly string[]): Ranges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const one of written) {
    const range = parseRange(one);
    if (!range) continue;
    const { address, prefix, family } = range;
    const isMapped = prefix >= 96 && /^::ffff:/i.test(address);
    ranges[isMapped ? "ipv4" : family].addSubnet(address, prefix, family);
  }
  return ranges;
}

function contains(ranges: Ranges, address = ""): boolean {
  const family = familyOf(address);
  return family !== null && ranges[family].check(address, family);
}

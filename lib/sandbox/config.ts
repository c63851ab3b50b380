import { join } from "node:path";
import { z } from "zod";
import { type SandboxClient, readClientsFile } from "./client-list";
import { parseIpRange } from "./ip-list";
import { logLevels } from "./log";
import { authFields } from "./service";
import type { SandboxOptions } from "./start";

type ConfigReading =
  | { ok: true; options: SandboxOptions }
  /** Every problem at once; each begins with the name of its variable. */
  | { ok: false; problems: string[] };

/** Reads the sandbox's environment variables, and the clients file that they may name. */
export function readConfig(environment: Record<string, string | undefined>): ConfigReading {
  // An empty variable counts as unset.
  const set = Object.fromEntries(Object.entries(environment).filter(([, text]) => text?.trim()));
  const variables = variablesSchema.safeParse(set);
  const clients = readClients(set["SANDBOX_CLIENTS"]);
  const exposed = demoExposure(set);
  const problems = [
    ...(variables.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...(clients.ok ? [] : clients.problems),
    ...exposed,
  ];
  if (!variables.success || !clients.ok || problems.length > 0) return { ok: false, problems };

  const { data } = variables;
  return {
    ok: true,
    options: {
      host: data.SANDBOX_HOST,
      port: data.SANDBOX_PORT,
      databaseFile: data.SANDBOX_DATABASE_URL ?? join(data.GANCHO_DATA_DIR, "sandbox.db"),
      tokenTtl: data.SANDBOX_TOKEN_TTL,
      authField: data.SANDBOX_AUTH_FIELD,
      trustedProxies: data.SANDBOX_TRUSTED_PROXIES,
      logLevel: data.SANDBOX_LOG_LEVEL,
      ...(data.SANDBOX_RATE_LIMIT !== undefined && { rateLimit: data.SANDBOX_RATE_LIMIT }),
      ...(clients.list && { clients: clients.list }),
    },
  };
}

function wholeNumber(smallest: number, largest: number) {
  const message = `is not a whole number from ${smallest} to ${largest}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: message, abort: true })
    .transform(Number)
    .refine((number) => number >= smallest && number <= largest, message);
}

const databaseFile = z
  .string()
  // A host or a query would become part of the path.
  .regex(/^file:(?:\/\/(?=\/))?(?!\/\/)[^?#]+$/, "is not file: and the path of a file")
  .transform((url) => url.replace(/^file:(?:\/\/)?/, ""));

const proxies = z
  .string()
  .transform((text) => text.split(",").map((range) => range.trim()))
  .refine(
    (ranges) => ranges.every((range) => parseIpRange(range)),
    "is not a list of IP addresses and CIDR ranges with commas between them",
  );

const variablesSchema = z.object({
  GANCHO_DATA_DIR: z.string().default(".data"),
  SANDBOX_HOST: z.string().default("127.0.0.1"),
  /** 0: any free port. */
  SANDBOX_PORT: wholeNumber(0, 65_535).default(4010),
  SANDBOX_DATABASE_URL: databaseFile.optional(),
  SANDBOX_TOKEN_TTL: wholeNumber(1, 31_536_000).default(1800),
  SANDBOX_AUTH_FIELD: z
    .enum(authFields, `is not one of ${authFields.join(", ")}`)
    .default("auth_header"),
  SANDBOX_TRUSTED_PROXIES: proxies.default([]),
  SANDBOX_RATE_LIMIT: wholeNumber(1, 1_000_000).optional(),
  SANDBOX_LOG_LEVEL: z.enum(logLevels, `is not one of ${logLevels.join(", ")}`).default("info"),
});

type Clients = { ok: true; list: SandboxClient[] | null } | { ok: false; problems: string[] };

/** null: none were given, so the demo's. */
function readClients(path: string | undefined): Clients {
  if (path === undefined) return { ok: true, list: null };
  const file = readClientsFile(path);
  return file.ok
    ? { ok: true, list: file.clients }
    : { ok: false, problems: file.problems.map((problem) => `SANDBOX_CLIENTS ${path} ${problem}`) };
}

/** The demo's secrets are public, so with them the sandbox speaks to this machine only. */
function demoExposure(set: Record<string, string | undefined>): string[] {
  const host = set["SANDBOX_HOST"] ?? "localhost";
  const local = /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
  return local || set["SANDBOX_CLIENTS"] !== undefined
    ? []
    : [
        `SANDBOX_HOST ${host} is open to others, and the demo's secrets are public: set SANDBOX_CLIENTS`,
      ];
}

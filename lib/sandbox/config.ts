import { logLevels, sqliteFile, variable, wholeNumber } from "@/lib/platform/env/variables";
import { join } from "node:path";
import { z } from "zod";
import { readClientsFile, type SandboxClient } from "./clients";
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
  const problems = [
    ...(variables.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...(clients.ok ? [] : clients.problems),
  ];
  if (!variables.success || !clients.ok) return { ok: false, problems };

  const { data } = variables;
  return {
    ok: true,
    options: {
      port: data.SANDBOX_PORT,
      databaseFile: data.SANDBOX_DATABASE_URL ?? join(data.GANCHO_DATA_DIR, "sandbox.db"),
      tokenTtl: data.SANDBOX_TOKEN_TTL,
      logLevel: data.LOG_LEVEL,
      ...(clients.list && { clients: clients.list }),
    },
  };
}

const databaseFile = z
  .string()
  .regex(sqliteFile, "is not file: and the path of a file")
  .transform((url) => url.replace(/^file:(?:\/\/)?/, ""));

/** In addition to lib/platform/env/variables.ts; a variable that both have means the same in both. */
export const variablesSchema = z.object({
  GANCHO_DATA_DIR: z.string().default(".data"),
  /** 0: any free port. */
  SANDBOX_PORT: wholeNumber(0, 65_535, "a port").default(4010),
  SANDBOX_DATABASE_URL: variable(
    "the sandbox's store, `file:/path`; if not set, `sandbox.db` in `GANCHO_DATA_DIR`",
    databaseFile.optional(),
  ),
  SANDBOX_TOKEN_TTL: variable(
    "lifetime of a token of the sandbox in seconds",
    wholeNumber(1, 31_536_000, "a number of seconds").default(1800),
  ),
  LOG_LEVEL: z.enum(logLevels, `is not one of ${logLevels.join(", ")}`).default("info"),
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

import { isPostgres, openDatabase } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { measureHealth } from "@/lib/installation/server/health";
import type { Secret } from "@/lib/platform/runtime/secret";
import { existsSync } from "node:fs";
import { databaseFailure } from "@/lib/cli/database-failure";
import { Failure } from "@/lib/cli/failure";
import { keyLine } from "@/lib/cli/key-lines";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- health

Shows the state of the installation, as the Installation screen does: versions, the database, what
each key of ENCRYPTION_KEYS is still needed for, and the state of the payment service in each
environment, as far as Gancho has seen it. Changes nothing. To check that everything can be
decrypted, run rotate-keys --check.

Exit code 0: the database answers. 1: it does not.`,
  options: {},
  positionals: 0,
  run: async () => {
    const config = env();
    requireDatabase(config.databaseUrl);
    const db = openDatabase(config.databaseUrl.reveal());
    const health = await measureHealth(db).catch((error: unknown) => {
      throw databaseFailure(config.databaseUrl, error);
    });
    await db.destroy();
    const { database, partners, alerts } = health;
    console.log(
      [
        `gancho ${health.version}, node ${health.node}`,
        `database: ${database.engine}, answered in ${database.answeredInMs} ms, tables as of ${database.schema}`,
        `partners: ${partners.all}, suspended: ${partners.suspended}; people who can sign in: ${health.people}`,
        `mail: ${health.mail ? "set up" : "not set up"}; single sign-on: ${health.singleSignOn ? "set up" : "not set up"}`,
        `alerts: webhook ${alerts.webhook ? "set up" : "not set up"}; waiting: ${alerts.waiting}${since(alerts.waitingSince)}, ` +
          `given up in 90 days: ${alerts.givenUp}${alerts.givenUpAt === null ? "" : `, the last at ${alerts.givenUpAt}`}`,
        ...health.keys.map((key) => `encryption key ${keyLine(key)}`),
        ...health.environments.map(
          ({ name, host, connections, failing, lastConfirmedAt }) =>
            `environment ${name} (${host}): ${connections} connections, ` +
            // Only a service that was called is known not to fail.
            `${failing === 0 && lastConfirmedAt === null ? "failures not known" : `${failing} failing`}, ` +
            `last confirmed ${lastConfirmedAt ?? "never"}`,
        ),
      ].join("\n"),
    );
  },
};

function since(moment: string | null): string {
  return moment === null ? "" : ` since ${moment}`;
}

/** Opening a missing file would create it. Throws `Failure`. */
function requireDatabase(url: Secret): void {
  const text = url.reveal();
  if (!isPostgres(text) && !existsSync(text.replace(/^file:/, "")))
    throw new Failure(`${text} is not there: npm start or gancho migrate makes it`);
}

import type { Db } from "@/lib/platform/database/open";
import type { Env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { hkdfSync } from "node:crypto";

/**
 * The settings by which one installation is told from another: with two on one database, each signs the other's people
 * out, mails links that lead to itself, or sends the client secrets of one to the payment service of the other.
 */
function settingsOf(config: Env): Record<string, string> {
  const { environments, productionEnvironments, oidc } = config;
  const tests = [...environments.keys()].filter((name) => !productionEnvironments.has(name));
  return {
    GANCHO_URL: config.url.origin,
    AUTH_SECRET: digestOf(config.authSecret.reveal()),
    PARTNER_API_ENVIRONMENTS: [...environments].map((pair) => pair.join("=")).join(","),
    TEST_ENVIRONMENTS: tests.join(","),
    OIDC_ISSUER: oidc?.issuer ?? "",
  };
}

/** Tells two random secrets apart, and nothing more of them. */
function digestOf(secret: string): string {
  const digest = hkdfSync("sha256", secret, new Uint8Array(), "gancho settings", 8);
  return Buffer.from(digest).toString("hex");
}

/** Written by each start. */
export async function noteSettings(db: Db, config: Env): Promise<void> {
  const noted_at = databaseTime();
  for (const [name, value] of Object.entries(settingsOf(config)))
    await db
      .insertInto("installation_settings")
      .values({ name, value, noted_at })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value, noted_at }))
      .execute();
}

/** In which settings the last start on this database, at `at`, differed, in words; null: there was none. */
export async function compareSettings(
  db: Db,
  config: Env,
): Promise<{ at: string; others: string[] } | null> {
  const own = settingsOf(config);
  const rows = await db.selectFrom("installation_settings").selectAll().execute();
  const [first] = rows;
  if (!first) return null;
  const others = rows
    .filter(({ name, value }) => own[name] !== value)
    .map(({ name, value }) => (name === "AUTH_SECRET" ? name : `${name} (${value || "not set"})`));
  return { at: new Date(first.noted_at).toISOString(), others: others.toSorted() };
}

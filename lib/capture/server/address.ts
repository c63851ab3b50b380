import "server-only";
import { env } from "@/lib/platform/env/env";

/** Where the environment may receive: never in production. null: nowhere. */
export function captureOrigin(environment: string): string | null {
  const { captureAt, environments, productionEnvironments } = env();
  const isTest = environments.has(environment) && !productionEnvironments.has(environment);
  return captureAt && isTest ? captureAt.origin : null;
}

export function addressOf(origin: string, token: string): string {
  return `${origin}/in/${token}`;
}

/** The place of a token in the database, for which it is encrypted. */
export function tokenIdentity(captureId: string) {
  return { table: "captures", row: captureId, column: "token" };
}

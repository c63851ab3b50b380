import { postgresPrograms } from "@/lib/platform/database/testing/postgres-programs";
import { Failure } from "@/lib/cli/failure";
import { installPackage } from "./install-package";

/** The tests run on both databases and start a PostgreSQL server of their own; its programs must be there. */
export function requirePostgres(): void {
  if (postgresPrograms() || (installPackage("postgresql") && postgresPrograms())) return;
  throw new Failure(
    "PostgreSQL is not installed, and the tests run on both databases: install it (Debian: apt-get install postgresql)",
  );
}

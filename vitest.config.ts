import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** What is kept beside the database must not end up in the project's own folder. */
const GANCHO_DATA_DIR = mkdtempSync(path.join(tmpdir(), "gancho-test-data-"));

export default defineConfig({
  resolve: {
    alias: [
      // Outside Next there is no client bundle to protect; the marker module would throw.
      { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: "node",
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{lib,components,app,e2e}/**/*.test.{ts,tsx}", "*.test.ts"],
          env: { LOG_LEVEL: "silent", GANCHO_DATA_DIR },
        },
      },
      {
        // Whatever keeps something in the database is run again on the other engine.
        extends: true,
        test: {
          name: "postgres",
          include: [
            "lib/{db,history,access,partners,webhooks,connection,team,support,staff,auth,secrets}/**/*.test.ts",
            "lib/partner-api/database-*.test.ts",
            "lib/cli/{prepare-database,demo/fill}.test.ts",
          ],
          exclude: ["lib/webhooks/rules/**", "lib/db/sqlite.test.ts"],
          env: { LOG_LEVEL: "silent", TEST_ENGINE: "postgres", GANCHO_DATA_DIR },
          globalSetup: "lib/db/testing/global-setup.ts",
        },
      },
    ],
  },
});

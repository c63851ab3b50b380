import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second, which is usual, is not enough where all cores are busy.
    expect: { poll: { timeout: 20_000 } },
    // A test waits more than it works, most of all those of faults: more of them than there are cores.
    maxWorkers: 4,
    setupFiles: "lib/platform/database/testing/own-data-dir.ts",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{lib,components,app,e2e}/**/*.test.{ts,tsx}", "*.test.ts"],
          env: { LOG_LEVEL: "silent" },
        },
      },
      {
        // Whatever keeps something in the database is run again on the other engine.
        extends: true,
        test: {
          name: "postgres",
          include: [
            "lib/{alerts,audit-stream,history,retention,partners,webhooks,watch,connection,endpoint-check,first-steps,team,support,staff,account}/**/*.test.ts",
            "lib/platform/{database,limits,access,auth,secrets}/**/*.test.ts",
            "lib/platform/payment-service/tokens/database-*.test.ts",
            "app/api/health/**/*.test.ts",
            "app/api/limits.test.ts",
            "lib/cli/{prepare-database,demo/fill,commands/rotate-keys,check-config/check-config,grants}.test.ts",
          ],
          exclude: ["lib/webhooks/model/rules/**", "lib/platform/database/sqlite.test.ts"],
          env: { LOG_LEVEL: "silent", TEST_ENGINE: "postgres" },
          globalSetup: "lib/platform/database/testing/global-setup.ts",
        },
      },
    ],
  },
});

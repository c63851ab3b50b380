import "server-only";
import { readAlertQueue } from "@/lib/alerts/server/send";
import { clockAheadMs } from "@/lib/platform/database/clock";
import { db } from "@/lib/platform/database/open";
import { poolUse } from "@/lib/platform/database/postgres";
import { figuresFrom } from "@/lib/platform/metrics/metrics";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { keysInUse } from "@/lib/platform/secrets/key-faults";
import { keyring } from "@/lib/platform/secrets/envelope";
import packageJson from "@/package.json";
import { readiness } from "./readiness";

/** Registers the metrics that are measured when they are read. */
export function registerFigures(): void {
  figuresFrom("process", () => {
    const { busy, idle, waiting, most } = poolUse();
    const aheadMs = clockAheadMs();
    const version = { version: packageJson.version, node: process.version };
    return [
      { name: "info", labels: version, value: 1 },
      ...(aheadMs === null ? [] : ([{ name: "clockAhead", value: aheadMs / 1_000 }] as const)),
      // The embedded database always has one connection.
      ...(most > 0
        ? ([
            { name: "databaseConnections", labels: { state: "busy" }, value: busy },
            { name: "databaseConnections", labels: { state: "idle" }, value: idle },
            { name: "databaseWaiting", value: waiting },
            { name: "databaseMost", value: most },
          ] as const)
        : []),
    ];
  });
  figuresFrom("readiness", async () => {
    const status = await readiness();
    return [{ name: "ready", labels: { status }, value: status === "ok" ? 1 : 0 }];
  });
  figuresFrom("alerts", async () => {
    const { waiting, waitingSince, givenUp } = await readAlertQueue(db());
    const age = waitingSince === null ? 0 : (databaseTime() - Date.parse(waitingSince)) / 1_000;
    return [
      { name: "alerts", labels: { state: "waiting" }, value: waiting },
      { name: "alerts", labels: { state: "given_up" }, value: givenUp },
      { name: "alertsOldest", value: Math.max(0, age) },
    ];
  });
  figuresFrom("keys", async () => {
    const keys = await keysInUse(db(), keyring());
    return keys.map(({ id: key, standing, dataKeys }) => ({
      name: "keys",
      labels: { key, standing },
      value: dataKeys,
    }));
  });
}

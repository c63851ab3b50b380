import { expect, it } from "vitest";
import type { EnvironmentHealth, Health } from "./health";
import { toFixIn } from "./to-fix";

const at = "2026-11-29T12:00:00.000Z";

const environment = (of: Partial<EnvironmentHealth>): EnvironmentHealth => ({
  name: "production",
  host: "api.example",
  connections: 2,
  failing: 0,
  lastConfirmedAt: at,
  isOld: false,
  ...of,
});

const health = (of: Partial<Health>): Health => ({
  version: "1.0.0",
  node: "v24.0.0",
  database: { engine: "SQLite", answeredInMs: 1, schema: "0001" },
  partners: { all: 2, suspended: 0 },
  withoutSecondPerson: [],
  people: 2,
  mail: true,
  alerts: { webhook: true, waiting: 1, waitingSince: at, isLate: false, givenUp: 1 },
  singleSignOn: false,
  keys: [{ id: "first", dataKeys: 2, standing: "active" }],
  environments: [environment({})],
  ...of,
});

it("is nothing where no reading fails, no key is missing and no alert waits for long", () => {
  expect(toFixIn(health({}))).toEqual([]);
  // Nobody is connected there.
  const empty = environment({ connections: 0, lastConfirmedAt: null });
  expect(toFixIn(health({ environments: [empty] }))).toEqual([]);
});

it("names each, the worst first", () => {
  expect(
    toFixIn(
      health({
        keys: [{ id: "lost", dataKeys: 1, standing: "missing" }],
        environments: [
          environment({ name: "sandbox", failing: 2, isOld: true }),
          environment({ isOld: true }),
          environment({ name: "new", lastConfirmedAt: null }),
        ],
        withoutSecondPerson: [{ id: "aurora", name: "Aurora" }],
        alerts: { webhook: true, waiting: 3, waitingSince: at, isLate: true, givenUp: 0 },
      }),
    ),
  ).toEqual([
    { kind: "keys", ids: ["lost"] },
    { kind: "unread", environment: "production", readAt: at },
    { kind: "unread", environment: "new", readAt: null },
    { kind: "failing", environment: "sandbox", count: 2 },
    { kind: "no_second_person", count: 1 },
    { kind: "alerts", count: 3, since: at },
  ]);
});

import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { syncServerClock, serverNow } from "@/lib/platform/http/client/server-clock";
import { keepConfiguration, keepFromPage, newer, webhookKeys } from "./query";
import { aConfiguration } from "@/lib/webhooks/testing/configurations";

const at = (overrides: Parameters<typeof aConfiguration>[1]) => aConfiguration([], overrides);
const queryKey = webhookKeys.configuration("aurora", "sandbox");

beforeEach(() => {
  vi.stubGlobal("window", {});
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("a later reading is newer, whatever the clocks say", () => {
  const first = at({ epoch: 7, answeredAt: "2026-01-31T13:00:00.000Z" });
  const later = at({ epoch: 8, answeredAt: "2026-01-31T12:00:00.000Z" });
  expect(newer(first, later)).toBe(later);
  expect(newer(later, first)).toBe(later);
  expect(newer(undefined, first)).toBe(first);
});

it("of two answers from one reading, the later one is newer", () => {
  const first = at({ epoch: 7.2 });
  const later = at({ epoch: 7.3, stale: true });
  expect(newer(first, later)).toBe(later);
  expect(newer(later, first)).toBe(later);
  const same = at({ epoch: 7.2, stale: true });
  expect(newer(first, same)).toBe(same);
});

it("a page that the browser kept replaces nothing newer, and does not move the clock", () => {
  const client = new QueryClient();
  const now = at({ epoch: 9, answeredAt: "2026-01-31T12:10:00.000Z" });
  keepConfiguration(client, now);
  keepFromPage(client, at({ epoch: 8, answeredAt: "2026-01-31T12:00:00.000Z" }));
  expect(client.getQueryData(queryKey)).toBe(now);
  expect(new Date(serverNow() ?? 0).toISOString()).toBe("2026-01-31T12:10:00.000Z");
  client.clear();
});

it("a kept page counts as old as its answer, so that it is read again at once", () => {
  const client = new QueryClient();
  syncServerClock("2026-01-31T12:10:00.000Z", { fresh: true });
  const hourOff = new Date("2020-01-01T00:00:00.000Z");
  vi.setSystemTime(hourOff);
  keepFromPage(client, at({ epoch: 8, answeredAt: "2026-01-31T12:00:00.000Z" }));
  const age = hourOff.getTime() - (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0);
  expect(age).toBe(600_000);
  client.clear();
});

it("the server's time goes on, also where the person's clock is set meanwhile", () => {
  syncServerClock("2026-01-31T12:00:00.000Z", { fresh: true });
  vi.advanceTimersByTime(30_000);
  vi.setSystemTime(new Date("2031-01-01T00:00:00.000Z"));
  expect(new Date(serverNow() ?? 0).toISOString()).toBe("2026-01-31T12:00:30.000Z");
});

it("what a sheet starts from is not read again with the configuration: a save is no reason to change a draft", async () => {
  const client = new QueryClient();
  const source = webhookKeys.source("aurora", "sandbox", "entry.7");
  client.setQueryData(source, {});
  await client.invalidateQueries({ queryKey });
  expect(client.getQueryState(source)?.isInvalidated).toBe(false);
});

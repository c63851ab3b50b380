import { expect, it } from "vitest";
import { filtersOf } from "./address";
import { historyPath } from "./filters";

const all = {
  show: "changes",
  type: "pix_in",
  actor: "8f14e45f-ceea",
  from: "2026-11-01",
  to: "2026-11-30",
} as const;

it("reads back every filter that it has written", () => {
  const address = new URL(historyPath("/history", all, "1a-0123456789abcdef"), "https://x.example");
  const search = Object.fromEntries(address.searchParams);
  expect(filtersOf(search)).toEqual(all);
  expect(search["cursor"]).toBe("1a-0123456789abcdef");
});

it("is empty where nothing is filtered", () => {
  expect(historyPath("/history", {})).toBe("/history");
  expect(filtersOf({})).toEqual({});
});

it.each<Record<string, string | string[]>>([
  { show: "everything" },
  { type: "pix_in,pix_out" },
  { type: ["pix_in", "pix_out"] },
  { actor: "'; drop table history; --" },
  { actor: "" },
  { from: "2026-02-30" },
  { to: "yesterday" },
  { to: "9999-12-31" },
])("drops invalid filters: %j", (search) => {
  expect(filtersOf(search)).toEqual({});
});

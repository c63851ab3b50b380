import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { signedInAsHeader } from "@/lib/platform/http/model/request-context";
import { askStepUpBy, drawnFor, fetchJson, sendJson } from "./fetch-json";

const wanted = { status: 403, code: "reauthentication_required", requestId: "q1", applied: "no" };
const timeout = 1_000;

/** Requires a step-up until `proved` is called. */
function server() {
  let isProved = false;
  const fetching = vi.fn(async () =>
    isProved ? Response.json({ done: true }) : Response.json(wanted, { status: 403 }),
  );
  vi.stubGlobal("fetch", fetching);
  return { fetching, prove: () => (isProved = true) };
}

beforeEach(() => vi.stubGlobal("navigator", { onLine: true }));
let end = () => {};
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

it("prompts for a step-up where an answer requires it, and then sends the request once more", async () => {
  const { fetching, prove } = server();
  end = askStepUpBy(async () => prove());
  const answer = await fetchJson("/api/x", { body: {}, timeout });
  expect(answer).toEqual({ kind: "ok", body: { done: true } });
  expect(fetching).toHaveBeenCalledTimes(2);
});

it("sends no mutation while the browser has no network, and says so", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  const fetching = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("fetch", fetching);
  expect(await fetchJson("/api/x", { body: {}, timeout })).toEqual({
    kind: "no_answer",
    unsent: true,
  });
  expect(fetching).toHaveBeenCalledExactlyOnceWith("/api/health/live", expect.anything());
  expect(await fetchJson("/api/x", { timeout })).toEqual({ kind: "no_answer" });
});

it("reaches a Gancho on the same machine without a network", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  const { prove } = server();
  prove();
  expect(await fetchJson("/api/x", { body: {}, timeout })).toMatchObject({ kind: "ok" });
});

it("does not call a request unsent that was lost in transit", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await fetchJson("/api/x", { body: {}, timeout })).toEqual({ kind: "no_answer" });
});

it.each([
  ["is not Gancho's", () => undefined],
  ["cannot be read, as its code does not load", () => Promise.reject(new Error("no chunk"))],
])("calls nothing done by an answer that %s", async (_which, parse) => {
  server().prove();
  const sent = await sendJson("/api/x", { body: {}, timeout, parse });
  expect(sent).toEqual({ kind: "failed", failure: { kind: "no_answer" } });
});

it("names the person for whom the page was drawn in mutations, and nobody in reads", async () => {
  const { fetching, prove } = server();
  prove();
  await fetchJson("/api/x", { body: {}, timeout });
  end = drawnFor("ana");
  await fetchJson("/api/x", { body: {}, timeout });
  await fetchJson("/api/x", { timeout });
  const named = fetching.mock.calls.map((call: unknown[]) =>
    new Headers((call[1] as RequestInit).headers).get(signedInAsHeader),
  );
  expect(named).toEqual([null, "ana", null]);
});

it("prompts once for two waiting requests", async () => {
  const { prove } = server();
  const prompt = vi.fn(async () => prove());
  end = askStepUpBy(prompt);
  const both = await Promise.all([1, 2].map(() => fetchJson("/api/x", { body: {}, timeout })));
  expect(both.map(({ kind }) => kind)).toEqual(["ok", "ok"]);
  expect(prompt).toHaveBeenCalledTimes(1);
});

it("prompts in a dialog that has its own prompt until it closes, answered or not, and in the page after that", async () => {
  const page = vi.fn(async () => false);
  const dialog = vi.fn(() => new Promise<boolean>(() => undefined));
  server();
  end = askStepUpBy(page);
  const close = askStepUpBy(dialog);
  const waiting = fetchJson("/api/x", { body: {}, timeout });
  await expect.poll(() => dialog.mock.calls.length).toBe(1);
  close();
  expect(await waiting).toMatchObject({ kind: "problem" });
  await fetchJson("/api/x", { body: {}, timeout });
  expect([dialog, page].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it("passes the answer on where the person cancels, nothing prompts, or the caller does so itself", async () => {
  const { fetching } = server();
  const problem = { kind: "problem", problem: { code: "reauthentication_required" } };
  expect(await fetchJson("/api/x", { body: {}, timeout })).toMatchObject(problem);
  end = askStepUpBy(async () => false);
  expect(await fetchJson("/api/x", { body: {}, timeout })).toMatchObject(problem);
  expect(await fetchJson("/api/x", { body: {}, timeout, stepsUp: true })).toMatchObject(problem);
  expect(fetching).toHaveBeenCalledTimes(3);
});

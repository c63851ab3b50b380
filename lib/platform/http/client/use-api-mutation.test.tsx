import {
  onlineManager,
  QueryClient,
  QueryClientProvider,
  QueryObserver,
} from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import type { ContextType } from "react";
import { setImmediate as soon } from "node:timers/promises";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { useApiMutation } from "./use-api-mutation";

/** A screen that shows what it has read, and can change it; the change is answered when the test says. */
async function screen() {
  const client = new QueryClient();
  client.mount();
  const read = vi.fn(async () => {
    await soon();
    return read.mock.calls.length;
  });
  const thing = new QueryObserver(client, { queryKey: ["thing"], queryFn: read });
  thing.subscribe(() => undefined);
  await expect.poll(() => thing.getCurrentResult().data).toBe(1);
  const waiting: ((answered: object) => void)[] = [];
  const ask = vi.fn((_secret: string) => new Promise<object>((resolve) => waiting.push(resolve)));
  const answer = async (answered: object) => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.pop()?.(answered);
  };
  const refresh = vi.fn();
  const sends: ((secret: string) => Promise<object | null>)[] = [];
  function Screen() {
    sends.push(useApiMutation(ask, { invalidates: ["thing"], refreshes: true }).send);
    return null;
  }
  renderToStaticMarkup(
    <AppRouterContext value={{ refresh } as unknown as ContextType<typeof AppRouterContext>}>
      <QueryClientProvider client={client}>
        <Screen />
      </QueryClientProvider>
    </AppRouterContext>,
  );
  /** Gives what was read last when the change is over for its caller. */
  const press = async () => {
    const sent = await sends[0]?.("hunter2");
    return sent && thing.getCurrentResult().data;
  };
  const kept = () =>
    JSON.stringify([
      client
        .getMutationCache()
        .getAll()
        .map(({ state, options }) => ({ state, options })),
      client
        .getQueryCache()
        .getAll()
        .map(({ state }) => state),
    ]);
  return { ask, refresh, press, kept, read, answer };
}

const refused = { kind: "failed", failure: { kind: "problem", problem: {} } };
const unanswered = { kind: "failed", failure: { kind: "no_answer" } };

it("sends a change once however often a person presses, and ends after reading again what it changed", async () => {
  const { ask, press, answer } = await screen();
  const [first, second] = [press(), press()];
  expect(await second).toBeNull();
  await answer({ kind: "done" });
  expect(await first).toBe(2);
  expect(ask).toHaveBeenCalledTimes(1);
  const third = press();
  await answer({ kind: "done" });
  expect(await third).toBe(3);
});

it.each([
  ["done", { kind: "done" }, 1],
  ["without an answer, when it may have happened", unanswered, 1],
  ["refused, when nothing was changed", refused, 0],
])("reads again when %s, and redraws the page unless refused", async (_, answered, times) => {
  const { refresh, press, answer } = await screen();
  const pressed = press();
  await answer(answered);
  expect(await pressed).toBe(2);
  expect(refresh).toHaveBeenCalledTimes(times);
});

it("stores nowhere what it sent (threat: a password in the page's state)", async () => {
  const { ask, press, answer, kept } = await screen();
  const pressed = press();
  expect(kept()).toContain("pending");
  expect(kept()).not.toContain("hunter2");
  await answer({ kind: "done" });
  await pressed;
  expect(ask).toHaveBeenCalledWith("hunter2");
  expect(kept()).not.toContain("hunter2");
});

it("sends at once without a network, and never again by itself when it is back", async () => {
  const { ask, read, press, answer } = await screen();
  onlineManager.setOnline(false);
  const pressed = press();
  await answer(unanswered);
  // The screen's data cannot be read again now, and nobody waits for it.
  expect(await pressed).toBe(1);
  onlineManager.setOnline(true);
  await expect.poll(() => read.mock.calls.length).toBe(2);
  expect(ask).toHaveBeenCalledTimes(1);
});

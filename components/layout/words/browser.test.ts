import { afterEach, expect, it, vi } from "vitest";
import { wordsOf } from "./browser";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const brokenOff = () =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"common":')),
      pull: (stream) => stream.error(new TypeError("network error")),
    }),
  );

it("asks for the file again after no answer, a body that breaks off, an error and what is no JSON", async () => {
  vi.useFakeTimers();
  const words = { common: {} };
  const fetching = vi
    .fn()
    .mockRejectedValueOnce(new TypeError("network error"))
    .mockImplementationOnce(async () => brokenOff())
    .mockResolvedValueOnce(new Response("{}", { status: 502 }))
    .mockResolvedValueOnce(new Response("<p>Sign in to this network</p>"))
    .mockResolvedValue(Response.json(words));
  vi.stubGlobal("fetch", fetching);
  const found = Promise.resolve(wordsOf("en", "/words/en.x.json"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await found).toEqual(words);
  expect(await wordsOf("en", "/words/en.x.json")).toEqual(words);
  expect(fetching).toHaveBeenCalledTimes(5);
});

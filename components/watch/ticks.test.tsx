import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Ticks } from "./ticks";

const states = ["not_read", "confirmed", "failing", "confirmed"] as const;

test("a band draws each tick once, at its place and in its colour, with one element for each state", () => {
  const markup = renderToStaticMarkup(<Ticks states={states} label="2 of 4" titles={() => "?"} />);
  const shapes = [...markup.matchAll(/<path d="([^"]*)" class="([^"]*)"/g)].map(([, d, colour]) => [
    colour,
    [...(d ?? "").matchAll(/M(\d+) /g)].map(([, at]) => Number(at)),
  ]);
  expect(shapes).toEqual([
    ["fill-line", [0]],
    ["fill-ok/60", [1, 3]],
    ["fill-bad", [2]],
  ]);
  expect(markup).toContain('viewBox="0 0 4 1"');
});

test("writes no title before somebody points at a tick", () => {
  const markup = renderToStaticMarkup(<Ticks states={states} label="2 of 4" titles={() => "?"} />);
  expect(markup).toContain('role="img" aria-label="2 of 4"');
  expect(markup).not.toContain("title=");
});

import { expect, it } from "vitest";
import { progressOn } from "./progress";

function reportedOn(isTTY: boolean): string {
  let text = "";
  const { report, end } = progressOn({ isTTY, write: (part) => (text += part) }, "done");
  for (let n = 0; n <= 2_000; n += 1) report(n, 2_000);
  end();
  return text;
}

it("writes the first and the last line into a log, however quick it goes", () => {
  expect(reportedOn(false)).toBe("0 of 2,000 done\n2,000 of 2,000 done\n");
});

it("writes over its line on a terminal, and leaves the next one to others", () => {
  expect(reportedOn(true)).toMatch(
    /^\r0 of 2,000 done(\r[\d,]+ of 2,000 done)*\r2,000 of 2,000 done\n$/,
  );
});

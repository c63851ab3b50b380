import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { anchorFile, appendAnchor, readAnchors } from "./anchor-file";

let folder: string;
vi.mock("@/lib/platform/env/env", () => ({
  env: () => ({ dataDir: folder }),
  logLevel: () => "silent",
}));

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "data");
});

it("is for its owner only, whatever the umask", async () => {
  const umask = process.umask(0);
  await appendAnchor({ partner: "aurora", seq: 1, mac: "a1" });
  process.umask(umask);
  expect(statSync(anchorFile()).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("keeps every line of concurrent writers, and returns the furthest end of each chain", async () => {
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      appendAnchor({ partner: i % 2 ? "aurora" : "tiete", seq: i + 1, mac: `m${i + 1}` }),
    ),
  );
  await appendAnchor({ partner: "aurora", seq: 7, mac: "late" });
  expect(readFileSync(anchorFile(), "utf8").trim().split("\n")).toHaveLength(201);
  const { anchors, damaged } = await readAnchors(anchorFile());
  expect(damaged).toBe(0);
  expect(Object.fromEntries(anchors)).toEqual({
    aurora: [{ seq: 200, mac: "m200" }],
    tiete: [{ seq: 199, mac: "m199" }],
  });
});

it("loses one line to a crash in the middle of writing it, and no other", async () => {
  await appendAnchor({ partner: "aurora", seq: 1, mac: "m1" });
  appendFileSync(anchorFile(), '\n{"partner":"aurora","se');
  await appendAnchor({ partner: "aurora", seq: 3, mac: "m3" });
  const { anchors, damaged } = await readAnchors(anchorFile());
  expect(anchors.get("aurora")).toEqual([{ seq: 3, mac: "m3" }]);
  expect(damaged).toBe(1);
});

it("begins anew when the file was moved away", async () => {
  await appendAnchor({ partner: "aurora", seq: 1, mac: "m1" });
  rmSync(anchorFile());
  await appendAnchor({ partner: "aurora", seq: 2, mac: "m2" });
  expect((await readAnchors(anchorFile())).anchors.get("aurora")).toEqual([{ seq: 2, mac: "m2" }]);
});

it("remembers how far a chain was when it went back (threat: growing past what was cut)", async () => {
  const note = (seq: number, mac: string) => appendAnchor({ partner: "aurora", seq, mac });
  for (const seq of [1, 2, 3]) await note(seq, `m${seq}`);
  for (const seq of [2, 3, 4, 5]) await note(seq, `n${seq}`);
  for (const seq of [5, 6]) await note(seq, `o${seq}`);
  expect((await readAnchors(anchorFile())).anchors.get("aurora")).toEqual([
    { seq: 3, mac: "m3" },
    { seq: 5, mac: "n5" },
    { seq: 6, mac: "o6" },
  ]);
});

it("rejects when it cannot write, and writes the next time", async () => {
  const good = folder;
  folder = "/proc/gancho-cannot-be-here";
  await expect(appendAnchor({ partner: "aurora", seq: 1, mac: "m1" })).rejects.toThrow();
  folder = good;
  await appendAnchor({ partner: "aurora", seq: 2, mac: "m2" });
  expect((await readAnchors(anchorFile())).anchors.get("aurora")).toEqual([{ seq: 2, mac: "m2" }]);
});

it("rejects for a missing file, instead of returning no anchors", async () => {
  await expect(readAnchors(anchorFile())).rejects.toThrow("ENOENT");
});

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

/** Notes an entry of the chain `aurora`, after the one with the seal `before`. */
const note = (seq: number, mac: string, before: string) =>
  appendAnchor({ partner: "aurora", seq, mac, before });
const noted = async () => (await readAnchors(anchorFile())).anchors.get("aurora");

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "data");
});

it("is for its owner only, whatever the umask", async () => {
  const umask = process.umask(0);
  await note(1, "a1", "");
  process.umask(umask);
  expect(statSync(anchorFile()).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("keeps every line of concurrent writers, and returns the end of each chain", async () => {
  const chains = ["aurora", "tiete"];
  const lines = Array.from({ length: 100 }, (_, i) =>
    chains.map((partner) => ({ partner, seq: i + 1, mac: `m${i + 1}`, before: `m${i}` })),
  );
  await Promise.all(lines.flat().map(appendAnchor));
  expect(readFileSync(anchorFile(), "utf8").trim().split("\n")).toHaveLength(200);
  const { anchors, damaged } = await readAnchors(anchorFile());
  expect(damaged).toBe(0);
  expect(Object.fromEntries(anchors)).toEqual({
    aurora: [{ seq: 100, mac: "m100" }],
    tiete: [{ seq: 100, mac: "m100" }],
  });
});

it("loses one line to a crash in the middle of writing it, and no other", async () => {
  await note(1, "m1", "");
  appendFileSync(anchorFile(), '\n{"partner":"aurora","se');
  await note(3, "m3", "m2");
  const { anchors, damaged } = await readAnchors(anchorFile());
  expect(anchors.get("aurora")).toEqual([
    { seq: 1, mac: "m1" },
    { seq: 3, mac: "m3" },
  ]);
  expect(damaged).toBe(1);
});

it("begins anew when the file was moved away", async () => {
  await note(1, "m1", "");
  rmSync(anchorFile());
  await note(2, "m2", "m1");
  expect(await noted()).toEqual([{ seq: 2, mac: "m2" }]);
});

it("remembers each end that the chain does not follow (threat: growing past what was cut)", async () => {
  await note(1, "m1", "");
  await note(2, "m2", "m1");
  await note(3, "m3", "m2");
  await note(3, "n3", "m2");
  await note(4, "n4", "n3");
  expect(await noted()).toEqual([
    { seq: 3, mac: "m3" },
    { seq: 4, mac: "n4" },
  ]);
});

it.each([
  ["the entries between", 4, "m3"],
  ["another entry in the same place", 3, "n2"],
])("remembers an end where another host wrote %s", async (_, seq, before) => {
  await note(2, "m2", "m1");
  await note(seq, "here", before);
  expect(await noted()).toEqual([
    { seq: 2, mac: "m2" },
    { seq, mac: "here" },
  ]);
});

it("rejects when it cannot write, and writes the next time", async () => {
  const good = folder;
  folder = "/proc/gancho-cannot-be-here";
  await expect(note(1, "m1", "")).rejects.toThrow();
  folder = good;
  await note(2, "m2", "m1");
  expect(await noted()).toEqual([{ seq: 2, mac: "m2" }]);
});

it("rejects for a missing file, instead of returning no anchors", async () => {
  await expect(readAnchors(anchorFile())).rejects.toThrow("ENOENT");
});

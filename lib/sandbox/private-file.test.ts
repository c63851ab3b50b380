import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensurePrivateFile } from "./private-file";
import { temporaryFolder } from "@/lib/sandbox/testing/temporary-folder";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("a new file and its new folders are their owner's alone", () => {
  const folder = temporaryFolder();
  ensurePrivateFile(join(folder, "a", "b", "x.db"));
  expect(modeOf(join(folder, "a"))).toBe("700");
  expect(modeOf(join(folder, "a", "b"))).toBe("700");
  expect(modeOf(join(folder, "a", "b", "x.db"))).toBe("600");
});

test("what was there before is not changed", () => {
  const folder = join(temporaryFolder(), "shared");
  const file = join(folder, "x.db");
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  writeFileSync(file, "content");
  chmodSync(file, 0o644);
  ensurePrivateFile(file);
  expect([modeOf(folder), modeOf(file)]).toEqual(["755", "644"]);
  expect(readFileSync(file, "utf8")).toBe("content");
});

test("a folder in the file's place, and a file in a folder's place, are errors", () => {
  const folder = temporaryFolder();
  expect(() => ensurePrivateFile(folder)).toThrow("EISDIR");
  writeFileSync(join(folder, "file"), "");
  expect(() => ensurePrivateFile(join(folder, "file", "x.db"))).toThrow("ENOTDIR");
  expect(() => ensurePrivateFile(join(folder, "file", "y", "x.db"))).toThrow("ENOTDIR");
});

test.runIf(process.platform === "linux")(
  "a file system that has no room for folders ends it",
  () => {
    expect(() => ensurePrivateFile("/proc/gancho/deep/x.db")).toThrow("ENOENT");
  },
);

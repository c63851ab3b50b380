import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config";

const folder = newFolder();

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const clientsFile = fileWith("clients.json", '[{"client_id":"a","client_secret":"b"}]');

function problemsOf(environment: Record<string, string>): string[] {
  const config = readConfig(environment);
  return config.ok ? [] : config.problems;
}

test("no variable is required, an empty one counts as unset, and the database is in the data folder", () => {
  const defaults = {
    ok: true,
    options: {
      port: 4010,
      databaseFile: ".data/sandbox.db",
      tokenTtl: 1800,
      logLevel: "info",
    },
  };
  expect(readConfig({})).toEqual(defaults);
  expect(readConfig({ SANDBOX_PORT: "", SANDBOX_CLIENTS: " ", GANCHO_DATA_DIR: "" })).toEqual(
    defaults,
  );
  expect(readConfig({ GANCHO_DATA_DIR: "/a/b" })).toMatchObject({
    options: { databaseFile: "/a/b/sandbox.db" },
  });
});

test("each variable takes effect", () => {
  const config = readConfig({
    SANDBOX_PORT: "65535",
    SANDBOX_DATABASE_URL: "file:/somewhere/else.db",
    SANDBOX_CLIENTS: clientsFile,
    SANDBOX_TOKEN_TTL: "1",
    LOG_LEVEL: "silent",
    GANCHO_DATA_DIR: "not-for-this-database",
  });
  expect(config).toEqual({
    ok: true,
    options: {
      port: 65535,
      databaseFile: "/somewhere/else.db",
      clients: [{ client_id: "a", client_secret: "b" }],
      tokenTtl: 1,
      logLevel: "silent",
    },
  });
});

test.each([
  ["file:.data/x.db", ".data/x.db"],
  ["file:x.db", "x.db"],
  ["file:/a/x.db", "/a/x.db"],
  ["file:///a/x.db", "/a/x.db"],
])("%s is the file %s", (url, databaseFile) => {
  expect(readConfig({ SANDBOX_DATABASE_URL: url })).toMatchObject({ options: { databaseFile } });
});

test.each([
  ["SANDBOX_PORT", "x"],
  ["SANDBOX_PORT", "65536"],
  ["SANDBOX_TOKEN_TTL", "0"],
  ["SANDBOX_TOKEN_TTL", "31536001"],
  ["SANDBOX_DATABASE_URL", "postgres://localhost/sandbox"],
  ["SANDBOX_DATABASE_URL", "file://host/x.db"],
  ["SANDBOX_DATABASE_URL", "file:x.db?mode=memory"],
  ["LOG_LEVEL", "verbose"],
  ["SANDBOX_CLIENTS", "/nowhere/clients.json"],
  ["SANDBOX_CLIENTS", fileWith("twice", '[{"client_id":"a","client_id":"b","client_secret":"c"}]')],
  ["SANDBOX_CLIENTS", fileWith("object", "{}")],
])("%s=%s is one problem, which begins with its name", (name, value) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} `));
  expect(problems[0]).not.toContain("\n");
});

test("all problems are reported at once, those of the clients file included", () => {
  const path = fileWith(
    "bad.json",
    '[{"client_id":"a"},{"client_secret":"hidden","client_id":"b","x":1}]',
  );
  const problems = problemsOf({ SANDBOX_PORT: "x", SANDBOX_TOKEN_TTL: "x", SANDBOX_CLIENTS: path });
  expect(problems).toEqual([
    expect.stringMatching(/^SANDBOX_PORT /),
    expect.stringMatching(/^SANDBOX_TOKEN_TTL /),
    `SANDBOX_CLIENTS ${path} entry 1: client_secret is missing`,
    `SANDBOX_CLIENTS ${path} entry 2: unknown field "x"`,
  ]);
  expect(problems.join()).not.toContain("hidden");
});

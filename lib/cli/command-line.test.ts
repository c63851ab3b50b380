import { newKeys } from "@/lib/platform/database/testing/configure";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { openDatabase } from "@/lib/platform/database/open";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { runCommandLine } from "./command-line";
import { startGancho } from "@/lib/cli/testing/run-gancho";

/** What would be typed at the terminal. */
let typed = "";
vi.mock("./read-password", () => ({ readNewPassword: async () => typed }));

const folder = newFolder();
const url = `file:${folder}/gancho.db`;
const env = { GANCHO_DATA_DIR: folder, DATABASE_URL: url, ...newKeys() };
Object.assign(process.env, env);

const printed = { out: "", err: "" };
vi.spyOn(console, "log").mockImplementation((text: string) => {
  printed.out += `${text}\n`;
});
vi.spyOn(console, "error").mockImplementation((text: string) => {
  printed.err += `${text}\n`;
});
beforeEach(() => Object.assign(printed, { out: "", err: "" }));

describe("the command line", () => {
  it("lists its commands, and each explains itself", async () => {
    expect(await runCommandLine([])).toBe(0);
    const commands = [...printed.out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? "");
    expect(commands).toEqual(
      expect.arrayContaining(["migrate", "create-operator", "backup", "after-restore"]),
    );
    for (const command of commands) {
      printed.out = "";
      expect(await runCommandLine([command, "--help"])).toBe(0);
      expect(printed.out).toContain(`Usage: gancho`);
      expect(printed.out).toContain(command);
    }
  });

  it("ends with 2, and says what would be right, when it is misused", async () => {
    for (const [words, complaint] of [
      [["constructor"], "there is no command constructor"],
      [["four-eyes-off", "--parter", "x"], "Unknown option '--parter'"],
      [["migrate", "now"], "unexpected argument now"],
      [["create-operator", "--name", "A", "--name", "B"], "--name is there more than once"],
      [["reset-access", "--codes"], "the person's address is missing"],
      [["reset-access", "a@b.example"], "give one of --password"],
      [["reset-access", "a@b.example", "--codes", "--passkeys"], "give one of --password"],
      [["four-eyes-off", "--partner", "aurora"], "--reason is missing"],
      [["after-restore"], "--yes is missing"],
      [["erase-person", "--yes"], "the EMAIL is missing"],
      [["four-eyes-off", "--partner", "aurora", "--reason", "A\nB"], "--reason is not one line"],
      [["create-operator", "--email", "nobody", "--name", "x"], "--email is not valid"],
      [["create-operator", "--email", "a@b.example", "--name", "A\nB"], "--name is not valid"],
    ] as const) {
      printed.err = "";
      expect(await runCommandLine([...words])).toBe(2);
      expect(printed.err).toContain(complaint);
      expect(printed.err).toContain("Usage: gancho");
    }
  });
});

it("migrate: says what it did, and that there was nothing to do", async () => {
  expect(await runCommandLine(["migrate"])).toBe(0);
  expect(printed.out).toMatch(/^The database is up to date: 1 migration ran\.$/m);
  printed.out = "";
  expect(await runCommandLine(["migrate"])).toBe(0);
  expect(printed.out).toBe("The database was up to date: there was nothing to migrate.\n");
});

describe("create-operator", () => {
  const password = "a river between two hills";
  const create = (email: string) =>
    runCommandLine(["create-operator", "--email", email, "--name", "Ana Reis"]);

  it("adds a person who can sign in, and adds nobody twice", async () => {
    typed = password;
    expect(await create("Ana@Example.com")).toBe(0);
    const own = openDatabase(url);
    const from = { requestId: null, clientAddress: null, userAgent: null };
    const request = { email: "ana@example.com", password, ...from };
    expect((await signIn(own, request, false)).outcome).toBe("signed_in");
    const row = await own.selectFrom("users").select("staff_role").executeTakeFirst();
    expect(row?.staff_role).toBe("operator");
    await own.destroy();
    expect(await create("ana@example.com")).toBe(1);
    expect(printed.err).toContain(
      "somebody already has the address ana@example.com; nothing was changed",
    );
  });

  it("refuses a weak password", async () => {
    typed = "short";
    expect(await create("rui@example.com")).toBe(1);
    expect(printed.err).toContain("fewer than 15 characters");
  });

  it("takes no password from an argument, where others on the machine could read it", async () => {
    expect(await runCommandLine(["create-operator", "--password", password])).toBe(2);
    expect(printed.err).not.toContain(password);
  });

  it("run as a program, reads the password from the first line of standard input", async () => {
    const words = ["create-operator", "--email", "rui@example.com", "--name", "Rui"];
    expect(await startGancho(words, env, `${password}\n`)).toMatchObject({ code: 0, err: "" });
  });
});

it("reset-access: prints a link for somebody with access, and says where there is nothing to reset", async () => {
  expect(await runCommandLine(["reset-access", "Ana@Example.com", "--password"])).toBe(0);
  expect(printed.out).toMatch(/^http\S+#\S+$/m);
  for (const [words, complaint] of [
    [["ana@example.com", "--codes"], "ana@example.com has no one-time codes set up; nothing was"],
    [["ana@example.com", "--passkeys"], "ana@example.com has no passkey; nothing was changed"],
    [["nobody@example.com", "--provider"], "no person with access has the address nobody@"],
  ] as const) {
    printed.err = "";
    expect(await runCommandLine(["reset-access", ...words])).toBe(1);
    expect(printed.err).toContain(complaint);
  }
});

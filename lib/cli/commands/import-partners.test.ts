import { fromSource } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";
import { runGancho, startGancho } from "@/lib/cli/testing/run-gancho";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { readConnection, replaceConnection } from "@/lib/connection/testing/with-access";
import { historyOf } from "@/lib/history/testing/people-entries";
import { connectionOf } from "@/lib/partners/server/connection";
import { db } from "@/lib/platform/database/open";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { thrownProblem } from "@/lib/platform/http/testing/thrown-problem";
import { readMail } from "@/lib/tools/mail-server";
import { acceptInvitation, readOffer } from "@/lib/team/server/invitations/accept";
import {
  inviteMember,
  readTeam,
  revokeInvitation,
  switchFourEyes,
} from "@/lib/team/testing/with-access";
import { inWorld, partner, save, world } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";

withMail();
inWorld({ environment: "production", also: "sandbox", as: null });

const folder = newFolder();
const secret = "s3cr3t-Vj2kQ9xT";
const context = { requestId: "q1", clientAddress: null };
let id: string;
beforeEach(() => {
  id = newId();
});

const newId = () => `im-${randomBytes(5).toString("hex")}`;
const adminOf = (partnerId: string) => `ana@${partnerId}.example`;

const aLine = (given: object = {}) => ({
  id,
  name: `Loja ${id}`,
  admins: [{ email: adminOf(id), name: "Ana Reis" }],
  connections: {
    production: { client_id: `${id}-live`, client_secret: `${secret}-live` },
    sandbox: { client_id: id, client_secret: secret },
  },
  ...given,
});

function file(...lines: object[]): string {
  const path = `${folder}/${randomBytes(4).toString("hex")}.jsonl`;
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

const variables = (): Record<string, string> => ({
  ...Object.fromEntries(
    [
      "DATABASE_URL",
      "GANCHO_DATA_DIR",
      "AUTH_SECRET",
      "ENCRYPTION_KEYS",
      "PARTNER_API_ENVIRONMENTS",
    ].map((name) => [name, process.env[name] ?? ""]),
  ),
  SMTP_URL: mail.url,
  MAIL_FROM: "gancho@example.com",
  GANCHO_URL: "http://localhost:3000",
});

const run = (...words: string[]) => runGancho(["import-partners", ...words], variables());
/** Without the lines of the log. */
const said = (out: string) =>
  out.split("\n").filter((line) => line !== "" && !line.startsWith("{"));

const tokenIn = (text: string) => /invitation#([\w-]{43})/.exec(text)?.[1] ?? "";
const mailsTo = (address: string) =>
  mail.mails.filter(({ to }) => to.includes(address)).map(readMail);

it("shows what it would do, does it with --yes, and does nothing the second time", async () => {
  const path = file(aLine());
  const steps = [
    `line 1, ${id}: new, “Loja ${id}”; production connected as ${id}-live; sandbox connected as ${id}; invitation to ${adminOf(id)}`,
    "Partners: 1 new, 0 changed, 0 as they were. Connections: 2. Invitations: 1.",
  ];
  const dry = await run(path);
  expect(dry).toMatchObject({ code: 0, err: "" });
  expect(said(dry.out)).toEqual([...steps, "Nothing was changed. To do it, add --yes."]);
  const partners = db().selectFrom("partners").select("id").where("id", "=", id);
  expect(await partners.execute()).toEqual([]);

  const done = await run(path, "--yes");
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(said(done.out)).toEqual([steps[0], `${steps[1]?.slice(0, -1)}, mails: 1.`]);
  const production = { name: "production", baseUrl: "http://127.0.0.1:9" };
  const stored = await connectionOf(id, production);
  expect(stored?.clientSecret.reveal()).toBe(`${secret}-live`);
  const entries = await historyOf(id);
  expect(entries.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
    ["partner_created", null],
    ["connection_changed", null],
    ["connection_changed", null],
    ["member_invited", null],
  ]);
  expect(recipients()).toEqual([adminOf(id)]);

  const again = await run(path, "--yes");
  expect(said(again.out)).toEqual([
    "Partners: 0 new, 0 changed, 1 as they were. Connections: 0. Invitations: 0.",
  ]);
  expect(await historyOf(id)).toHaveLength(entries.length);
  expect(recipients()).toEqual([adminOf(id)]);
  // Neither the output with the log, nor what is stored, has a secret.
  const all = JSON.stringify([
    dry,
    done,
    again,
    await historyOf(id),
    await rowOf("connections", { partner_id: id, environment: "sandbox" }),
  ]);
  expect(all).not.toContain(secret);
});

it("changes what differs: name, suspension and credentials, and leaves out what the file does", async () => {
  await run(file(aLine()), "--yes");
  const changed = {
    id,
    name: "Loja Nova",
    suspended: true,
    connections: { sandbox: { client_id: `${id}-2`, client_secret: secret } },
  };
  const { out } = await run(file(changed), "--yes");
  expect(said(out)[0]).toBe(
    `line 1, ${id}: “Loja ${id}” is named “Loja Nova”; suspended; sandbox: other credentials, ${id}-2 in place of ${id}`,
  );
  expect((await historyOf(id)).slice(-3)).toMatchObject([
    { kind: "partner_renamed" },
    { kind: "partner_suspended" },
    {
      kind: "connection_changed",
      environment: "sandbox",
      outcome: "replaced",
      detail: { clientIdBefore: id, clientIdAfter: `${id}-2`, secretReplaced: false },
    },
  ]);
  await run(file({ id, name: "Loja Nova" }), "--yes");
  expect(await rowOf("connections", { partner_id: id, environment: "production" })).toMatchObject({
    version: 1,
  });
  expect((await rowOf("partners", { id })).suspended_at).not.toBeNull();
});

it("changes nothing while the file itself has a fault, and names each", async () => {
  const path = file(aLine(), { id: "x", name: "A" }, { id: newId() });
  for (const words of [[path], [path, "--yes"]]) {
    const { code, err } = await run(...words);
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([
      "gancho import-partners: line 2 id must be 3 to 40 lower-case letters, digits and hyphens",
      "gancho import-partners: line 3 name is required",
      "gancho import-partners: 2 faults; nothing was changed",
    ]);
  }
  const partners = db().selectFrom("partners").select("id").where("id", "=", id);
  expect(await partners.execute()).toEqual([]);
});

it("leaves out a partner whose credentials another one has, also if they work for neither, and names that one (threat: one partner's admin who stops every import)", async () => {
  signInAs(await partner.person("admin"));
  const { version } = await readConnection(partner.id, "sandbox");
  const client_id = `${id}-victim`;
  await replaceConnection(
    partner.id,
    "sandbox",
    { clientId: client_id, clientSecret: secret, version, saveUnchecked: true },
    context,
  );
  const staff = await rowOf("users", { id: await world.staff("support") });
  const victim = newId();
  const path = file(
    {
      id: victim,
      name: "Victim",
      connections: { sandbox: { client_id, client_secret: secret } },
    },
    { id: newId(), name: "B", admins: [{ email: staff.email }] },
    aLine(),
  );
  const faults = [
    `gancho import-partners: line 1 connections.sandbox.client_id is in use for ${partner.id}: each partner has its own`,
    `gancho import-partners: line 2 names ${staff.email}, who is staff: staff belong to no partner`,
  ];
  const dry = await run(path);
  expect(dry.code).toBe(1);
  expect(dry.err.trim().split("\n")).toEqual([
    ...faults,
    "gancho import-partners: These partners would be left as they are; all others would be done.",
  ]);
  const done = await run(path, "--yes");
  expect(done.code).toBe(1);
  expect(done.err.trim().split("\n")).toEqual([
    ...faults,
    "gancho import-partners: These partners were left as they were; all others are done.",
  ]);
  const partners = db().selectFrom("partners").select("id").where("id", "in", [id, victim]);
  expect(await partners.execute()).toEqual([{ id }]);
  expect(said(done.out).at(-1)).toContain("Partners: 1 new");
});

it("with --check, refuses credentials that the service does not take, and keeps for the page that others work", async () => {
  const other = await world.partner();
  const { code, err } = await run(file(aLine()), "--check", "--yes");
  expect(code).toBe(1);
  expect(err).toContain("line 1 connections.production does not work:");
  expect(err).toContain("(credentials_rejected)");
  expect(err).not.toContain(secret);
  const { clientId: client_id, clientSecret: client_secret } = other;
  const same = { id: other.id, name: `Partner ${other.id}` };
  const right = { ...same, connections: { sandbox: { client_id, client_secret } } };
  expect(await run(file(right), "--check", "--yes")).toMatchObject({ code: 0 });
  signInAs(await other.person("admin"));
  const { lastCheck, version } = await readConnection(other.id, "sandbox");
  expect(version).toBe(1);
  expect(lastCheck).toMatchObject({ by: null, ok: true, current: true });
});

describe("where four-eyes approval is on", () => {
  it("replaces production credentials for a reason alone, which the history has and the admins get (threat: an operator who bypasses the second admin unseen)", async () => {
    const admins = [await partner.person("admin"), await partner.person("admin")];
    signInAs(admins[0] ?? null);
    await switchFourEyes(partner.id, true, context);
    const name = `Partner ${partner.id}`;
    const production = { client_id: partner.clientId, client_secret: `${secret}-2` };
    const path = file({ id: partner.id, name, connections: { production } });
    const refused = await run(path, "--yes");
    expect(refused.err).toContain(
      "line 1 replaces the credentials for production, which takes two",
    );
    expect((await connectionOf(partner.id, { name: "production", baseUrl: "" }))?.version).toBe(1);
    const reason = "The service issued new ones on Monday";
    expect(await run(path, "--yes", "--reason", reason)).toMatchObject({ code: 0 });
    expect((await historyOf(partner.id, "connection_changed")).at(-1)).toMatchObject({
      actor_id: null,
      detail: { reason, secretReplaced: true },
    });
    await sendAll();
    const mails = mail.mails.map(readMail).filter(({ text }) => text.includes(reason));
    expect(mails).toHaveLength(2);
    expect(mails[0]?.text).toContain("The dashboard’s operator replaced the API credentials");
  });
});

describe("an invitation of an import", () => {
  async function imported(): Promise<string> {
    await run(file(aLine()), "--yes");
    signInAs(null);
    return tokenIn(mailsTo(adminOf(id))[0]?.text ?? "");
  }
  const person = { name: "Ana Reis", password: "a river between two hills" };

  it("works for 14 days, for both admins, in both languages, and once", async () => {
    const bia = `bia@${id}.example`;
    await run(file(aLine({ admins: [{ email: adminOf(id) }, { email: bia }] })), "--yes");
    signInAs(null);
    const [anas] = mailsTo(adminOf(id));
    expect(anas?.text).toContain("14 days");
    expect(anas?.text).toContain("14 dias");
    const [ana, bias] = [tokenIn(anas?.text ?? ""), tokenIn(mailsTo(bia)[0]?.text ?? "")];
    expect(await readOffer(ana)).toMatchObject({ state: "open", invitedBy: null });
    await acceptInvitation({ token: ana, person }, context);
    expect(await readOffer(ana)).toEqual({ state: "used" });
    // The partner has an admin by now.
    await acceptInvitation({ token: bias, person: { ...person, name: "Bia Lopes" } }, context);
    const { out } = await run(file(aLine()), "--yes");
    expect(said(out)[0]).toMatch("1 as they were");
  });

  it("ends by age, and is made again on request alone", async () => {
    const token = await imported();
    await update("invitations", { expires_at: Date.now() - 1 }, { partner_id: id });
    expect(await readOffer(token)).toEqual({ state: "expired" });
    const { out } = await run(file(aLine()), "--yes");
    expect(out).toContain("has expired (--resend invites again)");
    expect(mailsTo(adminOf(id))).toHaveLength(1);
    await run(file(aLine()), "--yes", "--resend");
    const newer = tokenIn(mailsTo(adminOf(id))[1]?.text ?? "");
    expect(await readOffer(newer)).toMatchObject({ state: "open" });
    // Again, while it is open: the earlier link ends.
    await run(file(aLine()), "--yes", "--resend");
    expect(await readOffer(newer)).toEqual({ state: "revoked" });
  });

  it("outlives the operators, and is revoked by the partner's admin", async () => {
    const token = await imported();
    await update("users", { disabled_at: Date.now() }, { staff_role: "operator" });
    const admin = await (await import("@/lib/webhooks/testing/rows")).insertUser(db());
    await (await import("@/lib/webhooks/testing/rows")).insertMember(db(), id, admin, "admin");
    expect(await readOffer(token)).toMatchObject({ state: "open" });
    signInAs(admin);
    const [invitation] = (await readTeam(id)).invitations;
    expect(invitation).toMatchObject({ invitedBy: null, inviterLeft: false });
    await revokeInvitation(id, invitation?.id ?? "", context);
    signInAs(null);
    expect(await readOffer(token)).toEqual({ state: "revoked" });
    expect((await thrownProblem(acceptInvitation({ token, person }, context))).code).toBe(
      "invitation_over",
    );
    const { out } = await run(file(aLine()), "--yes");
    expect(out).toContain("is not invited: the partner has an admin, who invites");
  });

  it.each([["viewer"], ["admin"]] as const)(
    "leaves an open one by the partner's admin for a role of %s as it is, also with --resend (threat: a second person who is nobody's choice)",
    async (role) => {
      const email = `bia@${id}.example`;
      signInAs(await partner.person("admin"));
      await inviteMember(partner.id, { email, role }, { ...context, locale: "en" });
      const name = (await rowOf("partners", { id: partner.id })).name;
      const path = file({ id: partner.id, name, admins: [{ email }] });
      const { code, out } = await run(path, "--yes", "--resend");
      expect(code).toBe(0);
      expect(out).toContain(`${email} has an open invitation of a person`);
      const invitations = db().selectFrom("invitations").where("email", "=", email);
      expect(await invitations.select(["role", "revoked_at"]).execute()).toEqual([
        { role, revoked_at: null },
      ]);
      expect(mailsTo(email)).toHaveLength(1);
    },
  );

  it("is not made again for a partner that has an admin by now, also with --resend", async () => {
    const token = await imported();
    const bia = `bia@${id}.example`;
    await run(file(aLine({ admins: [{ email: bia }] })), "--yes");
    await acceptInvitation({ token, person }, context);
    const { out } = await run(file(aLine({ admins: [{ email: bia }] })), "--yes", "--resend");
    expect(out).toContain(`${bia} is not invited again: the partner has an admin, who invites`);
    expect(mailsTo(bia)).toHaveLength(1);
  });

  it("that was not mailed, or whose mail failed, is mailed by a later import", async () => {
    const path = file(aLine());
    await run(path, "--yes", "--no-mail");
    expect(mail.mails).toEqual([]);
    mail.manner = "refuse";
    const failed = await run(path, "--yes");
    expect(failed.code).toBe(1);
    expect(failed.out).toContain(`the mail to ${adminOf(id)} failed`);
    mail.manner = "take";
    expect(await run(path, "--yes")).toMatchObject({ code: 0 });
    expect(await readOffer(tokenIn(mailsTo(adminOf(id))[0]?.text ?? ""))).toMatchObject({
      state: "open",
    });
    await run(path, "--yes");
    expect(mail.mails).toHaveLength(1);
  });
});

/** Of so many partners with two environments each. */
const manyLines = (count: number) =>
  Array.from({ length: count }, () => {
    const other = newId();
    return {
      id: other,
      name: `Loja ${other}`,
      admins: [{ email: adminOf(other) }],
      connections: {
        production: { client_id: `${other}-live`, client_secret: randomBytes(20).toString("hex") },
        sandbox: { client_id: other, client_secret: randomBytes(20).toString("hex") },
      },
    };
  });

async function imported(lines: readonly { id: string }[]): Promise<Record<string, number>> {
  const ids = lines.map((line) => line.id);
  const kinds = await db()
    .selectFrom("history")
    .select(["kind", ({ fn }) => fn.countAll<number>().as("count")])
    .where("partner_id", "in", ids)
    .groupBy("kind")
    .execute();
  return Object.fromEntries(kinds.map(({ kind, count }) => [kind, Number(count)]));
}

/** Partners in it: `IMPORT=1200 npx vitest run lib/cli/commands/import-partners.test.ts` takes a real one. */
const largeFile = Number(process.env["IMPORT"] ?? 25);

describe("a large file", () => {
  it("that is stopped by kill -9 is run again, twice at once and beside people who save: everything is there once", async () => {
    const lines = manyLines(60);
    const path = file(...lines);
    const child = spawn(
      process.execPath,
      [...fromSource("lib/cli/gancho.ts"), "import-partners", path, "--yes"],
      {
        cwd: root,
        env: { NODE_ENV: "test", PATH: process.env["PATH"], ...variables() },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    for await (const part of child.stdout) if (String(part).includes("line 5,")) break;
    child.kill("SIGKILL");
    await once(child, "close");
    const before = (await imported(lines))["partner_created"] ?? 0;
    expect(before).toBeGreaterThan(4);
    expect(before).toBeLessThan(60);

    signInAs(await partner.person("admin"));
    let isOver = false;
    const saving = async () => {
      const outcomes = [];
      for (let at = 0; !isOver; at += 1) {
        outcomes.push((await save({ url: `https://hooks.example.com/${at}` })) as unknown);
        // As fast as they can, they would leave the imports no processor.
        await pause(50);
      }
      return outcomes;
    };
    const runs = [1, 2].map(() => startGancho(["import-partners", path, "--yes"], variables()));
    const saved = saving();
    for (const ended of await Promise.all(runs)) {
      expect(ended).toMatchObject({ code: 0, err: "" });
      expect(ended.out).not.toMatch(
        new RegExp(lines.map(({ connections }) => connections.sandbox.client_secret).join("|")),
      );
    }
    isOver = true;
    const outcomes = await saved;
    expect(outcomes.length).toBeGreaterThan(1);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: "saved" });
    expect(await imported(lines)).toEqual({
      partner_created: 60,
      connection_changed: 120,
      member_invited: 60,
    });
    // A mail may come twice to those whose import was killed in between: of their links the last one works.
    for (const line of lines) {
      const [last] = mailsTo(adminOf(line.id)).slice(-1);
      signInAs(null);
      expect(await readOffer(tokenIn(last?.text ?? ""))).toMatchObject({ state: "open" });
    }
    expect((await runGancho(["verify-history"], variables())).code).toBe(0);
  }, 600_000);

  it("is imported whole, and says how long it took", async () => {
    const lines = manyLines(largeFile);
    const begun = performance.now();
    const { code } = await startGancho(["import-partners", file(...lines), "--yes"], variables());
    const seconds = (performance.now() - begun) / 1_000;
    console.info(`${largeFile} partners with two environments: ${seconds.toFixed(1)} s`);
    expect(code).toBe(0);
    expect(mail.mails).toHaveLength(largeFile);
    // A slow machine is no fault.
  }, 600_000);
});

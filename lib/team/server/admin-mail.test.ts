import { db } from "@/lib/platform/database/open";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { mailNotice, noticeText, type AdminNotice } from "./admin-mail";
import { startMailServer, type MailServer } from "@/lib/platform/mail/testing/mail-server";

let world: World;
let server: MailServer;
let partner: TestPartner;

beforeAll(async () => {
  server = await startMailServer();
  Object.assign(process.env, { SMTP_URL: server.url, MAIL_FROM: "gancho@example.com" });
  world = await startWorld(undefined, "production");
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(async () => {
  partner = await world.partner("Loja Aurora");
  server.mails.length = 0;
});

const replaced: AdminNotice = {
  kind: "credentialsReplaced",
  environment: "production",
  page: "/partners/aurora/production/connection",
  clientIdBefore: "aurora-1",
  clientIdAfter: "aurora-2",
  secretReplaced: true,
  by: "Ana",
  proposedBy: "Rui",
};

it("tells in both languages who did what, and where to look", () => {
  const { subject, text } = noticeText(replaced, "Loja Aurora");
  expect(subject).toBe(
    "API credentials of Loja Aurora were replaced / As credenciais da API de Loja Aurora foram substituídas",
  );
  for (const part of [
    "Rui proposed to replace the API credentials of Loja Aurora in production, and Ana approved it",
    "Rui propôs substituir as credenciais da API de Loja Aurora em production, e Ana aprovou",
    "aurora-1 before, aurora-2 after",
    "/partners/aurora/production/connection",
  ])
    expect(text).toContain(part);
});

it("leaves no placeholder in any of them", () => {
  const notices: AdminNotice[] = [
    replaced,
    { ...replaced, proposedBy: null, clientIdAfter: "aurora-1", secretReplaced: false },
    { ...replaced, kind: "credentialsProposed", until: 0 },
    { kind: "fourEyesLifted", page: "/x", reason: "why" },
  ];
  for (const notice of notices) {
    const { subject, text } = noticeText(notice, "Loja Aurora");
    expect(`${subject} ${text}`).not.toMatch(/mail\.notices|[{}]/);
  }
});

it("says until when a proposal waits, in one time zone for all", () => {
  const until = Date.UTC(2026, 10, 23, 14, 5);
  const { text } = noticeText({ ...replaced, kind: "credentialsProposed", until }, "Loja Aurora");
  expect(text).toMatch(/until Nov 23, 2026 2:05\sPM UTC/);
});

it("goes to each admin by themselves, and to nobody else", async () => {
  const admins = [await partner.person("admin"), await partner.person("admin")];
  await partner.person("editor");
  await mailNotice(db(), partner.id, replaced);
  expect(server.mails.map(({ to }) => to).sort()).toEqual(
    admins.map((id) => [`${id}@test.example`]).sort(),
  );
});

it("goes to everybody of the partner where the rule that protects them was lifted", async () => {
  for (const role of ["admin", "editor", "viewer"] as const) await partner.person(role);
  await mailNotice(db(), partner.id, { kind: "fourEyesLifted", page: "/x", reason: "why" });
  expect(server.mails).toHaveLength(3);
});

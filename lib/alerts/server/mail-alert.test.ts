import { inTransaction, insert, update } from "@/lib/platform/database/testing/rows";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { alertData, alertRules, type Alert } from "@/lib/alerts/model/alert";
import { verdicts } from "@/lib/endpoint-check/model/check";
import { recordHistory } from "@/lib/history/server/record/record";
import { locales } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";
import { erasedPerson } from "@/lib/platform/secrets/model/people";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { alertText } from "./mail-alert";
import { enqueueAlert } from "./enqueue";

let world: World;
let partner: TestPartner;

withMail();
beforeAll(async () => {
  world = await startWorld(undefined, "production");
});
afterAll(() => world.close());
beforeEach(async () => {
  partner = await world.partner("Loja Aurora");
});

const at = Date.UTC(2026, 10, 22, 3, 0);
const environmentRef = { partnerId: "aurora", environment: "production" };
const credentials = { ...environmentRef, clientIdBefore: "aurora-1", clientIdAfter: "aurora-2" };
const replaced = {
  kind: "credentials_replaced",
  ...credentials,
  secretReplaced: true,
  by: "Ana",
  proposedBy: "Rui",
} as const satisfies Alert;

const textOf = (alert: Alert, into?: ("en" | "pt-BR")[]) =>
  alertText({ alert, at, partner: "Loja Aurora", name: "Bia" }, into);

async function mailed(alert: Alert): Promise<void> {
  await inTransaction((trx) => enqueueAlert(trx, alert));
  await sendAll();
}

const addressesOf = (...ids: string[]) => ids.map((id) => `${id}@test.example`).sort();

it("does not send an admin to the Team page for what the provider alone decides", () => {
  const added = { kind: "admin_added", ...ofRui, by: null } as const;
  const decided = textOf({ ...added, claimed: true }, ["en"]).text;
  expect(decided).toContain("ask whoever manages your accounts at the sign-in provider");
  expect(decided).not.toContain("remove them");
  expect(textOf(added, ["en"]).text).toContain("remove them on the Team page");
});

it("says in both languages who did what, and which page to open", () => {
  const { subject, text } = textOf(replaced);
  expect(subject).toBe(
    "API credentials of Loja Aurora were replaced / As credenciais da API de Loja Aurora foram substituídas",
  );
  for (const part of [
    "Rui proposed to replace the API credentials of Loja Aurora in production, and Ana approved it",
    "Rui propôs substituir as credenciais da API de Loja Aurora em produção, e Ana aprovou",
    "aurora-1 before, aurora-2 after",
    "/partners/aurora/production/connection",
  ])
    expect(text).toContain(part);
});

const since = Date.UTC(2026, 10, 22, 2, 30);
const changes = [
  { type: "pix_in", before: "hooks.example.com", after: "evil.example", moved: true },
  { type: "pix_out", before: null, after: "hooks.example.com", moved: true },
  { type: "pix_out", before: "hooks.example.com", after: null, moved: true },
  { type: "pix_in", before: "hooks.example.com", after: "hooks.example.com", moved: false },
] as const;
const author = { id: "rui", name: "Rui" };
const userId = "bia";

/** One of every kind, in every variant of its text. */
const endpoint = { ...environmentRef, type: "pix_in", host: "hooks.example.com" } as const;
const moved = { kind: "address_changed", ...environmentRef, by: "Ana" } as const;
const ofRui = { partnerId: "aurora", memberId: "x", name: "Rui" } as const;
const unseen = [
  { ...changes[0], value: "not_shown" },
  { ...changes[1], value: "other" },
] as const;
const samples: Alert[] = [
  replaced,
  { ...replaced, proposedBy: null, clientIdAfter: "aurora-1", secretReplaced: false },
  { kind: "credentials_proposed", ...credentials, secretReplaced: true, by: "Rui", until: 0 },
  { kind: "four_eyes_lifted", partnerId: "aurora", reason: "why" },
  { kind: "changed_outside", ...environmentRef, changes: [...changes] },
  { kind: "changed_outside", ...environmentRef, changes: [...changes], isLast: true },
  { ...moved, changes: [...changes], proposedBy: null },
  { ...moved, changes: [...changes], proposedBy: "Rui" },
  { ...moved, changes: [...unseen], proposedBy: null },
  { ...moved, changes: [{ ...changes[0], without: true }], proposedBy: null },
  ...["Rui", null].map((proposedBy): Alert => ({
    kind: "authorization_removed",
    ...environmentRef,
    changes: [{ ...changes[3], without: true }],
    by: "Ana",
    proposedBy,
  })),
  { kind: "authorization_revealed", ...environmentRef, type: "pix_in", by: "Ana" },
  { kind: "admin_added", ...ofRui, by: null },
  { kind: "admin_added", ...ofRui, by: null, claimed: true },
  { kind: "admin_added", ...ofRui, by: "Ana" },
  { kind: "admin_removed", ...ofRui, by: "Ana", role: null },
  { kind: "admin_removed", ...ofRui, by: "Ana", role: "viewer" },
  { kind: "admin_removed", ...ofRui, by: null, role: null },
  { kind: "admin_removed", ...ofRui, by: "Rui", role: null, left: true },
  { kind: "approval_waits", ...environmentRef, changes: [...changes], by: "Rui", until: 0 },
  ...(["approved", "rejected", "expired"] as const).flatMap((outcome) =>
    (["callback", "credentials"] as const).map(
      (about) =>
        ({
          kind: "approval_decided",
          ...environmentRef,
          about,
          outcome,
          author,
          reason: "why",
          by: outcome === "expired" ? null : "Ana",
        }) as Alert,
    ),
  ),
  ...(["first", "changed"] as const).flatMap((news) =>
    verdicts.map(
      (verdict) => ({ kind: "endpoint_result", ...endpoint, news, verdict, since }) as const,
    ),
  ),
  ...[0, 1, 20].map(
    (days) => ({ kind: "certificate_ends", ...endpoint, days, until: since }) as const,
  ),
  { kind: "connection_failing", ...environmentRef, since, problem: "upstream_timeout" },
  { kind: "connection_failing", ...environmentRef, since, problem: "of_another_version" },
  { kind: "connection_recovered", ...environmentRef, since },
  { kind: "service_failing", environment: "production", since, problem: "connection_refused" },
  { kind: "service_recovered", environment: "production", since },
  { kind: "new_device", userId, browser: "Firefox", system: "Linux", clientAddress: "192.0.2.1" },
  { kind: "new_device", userId, browser: null, system: null, clientAddress: null },
  ...(
    [
      "password_changed",
      "codes_changed",
      "account_linked",
      "account_unlinked",
      "email_changed",
      "passkey_added",
      "passkey_removed",
      "passkeys_reset",
    ] as "passkey_added"[]
  ).map((kind) => ({ kind, userId })),
];

it("has words for every kind, in each language, and leaves no placeholder and no gap in any of them", () => {
  expect([...new Set(samples.map(({ kind }) => kind))].sort()).toEqual(
    Object.keys(alertData).sort(),
  );
  for (const alert of samples) {
    const { subject, text } = textOf(alert);
    expect(`${subject} ${text}`).not.toMatch(/mail\.|[{}]|undefined|null|^ /m);
  }
});

it("says of each when it happened or began, and whether it can be switched off", () => {
  for (const alert of samples) {
    const { text } = textOf(alert, ["en"]);
    expect(text, alert.kind).toMatch(/Nov 22, 2026 [23]:[03]0\sAM UTC/);
    const { to, choice } = alertRules[alert.kind];
    if (to !== "person")
      expect(text.includes("cannot be switched off"), alert.kind).toBe(choice === null);
  }
});

it("says until when a proposal waits, in one time zone for all", () => {
  const until = Date.UTC(2026, 10, 23, 14, 5);
  const proposed = { ...credentials, secretReplaced: false, by: "Rui", until };
  const { text } = textOf({ kind: "credentials_proposed", ...proposed });
  expect(text).toMatch(/until Nov 23, 2026 2:05\sPM UTC/);
});

it("says of an outside change to another host that the other server may know the value", () => {
  const said = (change: (typeof changes)[number]) =>
    textOf({ kind: "changed_outside", ...environmentRef, changes: [change] }, ["en"]).text;
  const words = "assume that whoever runs the other server knows it";
  expect(changes.filter((change) => said(change).includes(words))).toEqual([changes[0]]);
});

it("says of a save who asked for it, and never that they saved: another's write may be what is shown", () => {
  const ofSaves = samples.filter(
    ({ kind }) => kind === "address_changed" || kind === "authorization_removed",
  );
  for (const alert of ofSaves)
    for (const locale of locales) {
      const { subject, text } = textOf(alert, [locale]);
      expect(`${subject} ${text}`).not.toMatch(/\bsaved\b|\bsalv(?:ou|o|a)\b/);
      expect(text).toMatch(/payment service has shown|serviço de pagamento já (?:a )?exibiu/);
    }
});

it("says of what a check found that the payment service may meet something else", () => {
  for (const alert of samples.filter(({ kind }) => kind === "endpoint_result"))
    for (const locale of locales)
      expect(textOf(alert, [locale]).text).toContain(messagesByLocale[locale].endpointCheck.caveat);
});

it("makes no link of people's names or reasons (threat: an attacker's link in Gancho's mail)", () => {
  // Programs read the second one as its plain form.
  for (const written of ["see https://evil.example/x", "see https：／／evil．example/x"]) {
    const decided = {
      about: "callback",
      outcome: "rejected",
      author: { id: "rui", name: written },
    };
    for (const alert of [
      { kind: "approval_decided", ...environmentRef, ...decided },
      { kind: "four_eyes_lifted", partnerId: "aurora" },
      { ...replaced, clientIdAfter: written },
    ]) {
      const { text } = textOf({ ...alert, by: written, reason: written } as Alert);
      expect(text.normalize("NFKC")).toContain("https: //evil[.]example/x");
      expect(text.normalize("NFKC")).not.toContain("evil.example");
    }
  }
});

it("goes to each admin by themselves, and to nobody else", async () => {
  const admins = [await partner.person("admin"), await partner.person("admin")];
  await partner.person("editor");
  await mailed({ ...replaced, partnerId: partner.id });
  expect(recipients()).toEqual(addressesOf(...admins));
});

it("goes to all of the partner's people where four-eyes approval was lifted", async () => {
  for (const role of ["admin", "editor", "viewer"] as const) await partner.person(role);
  await mailed({ kind: "four_eyes_lifted", partnerId: partner.id, reason: "why" });
  expect(mail.mails).toHaveLength(3);
});

it("tells a removed admin, and those who stay (threat: an intruder in an admin's account removes the others first)", async () => {
  const stays = await partner.person("admin");
  const gone = await partner.person("admin");
  await partner.person("viewer");
  const removal = {
    partnerId: partner.id,
    environment: null,
    types: [],
    requestId: "q",
    outcome: null,
    kind: "member_removed",
    actor: { id: stays, name: "Ana", clientAddress: null },
    detail: { userId: gone, name: "Rui", email: `${gone}@test.example`, role: "admin" },
  } as const;
  await inTransaction(async (trx) => {
    await trx.deleteFrom("memberships").where("user_id", "=", gone).execute();
    await recordHistory(trx, removal);
  });
  await sendAll();
  expect(recipients()).toEqual(addressesOf(stays, gone));
});

it.each([
  ["in the one language that a person is known to read", "pt-BR", false],
  [
    "in every language for a person who chose all (threat: mails that then say nothing)",
    "all",
    true,
  ],
  ["in every language for a person whose language does not exist", "xx", true],
])("is written %s", async (_what, locale, alsoEnglish) => {
  await update("users", { locale }, { id: await partner.person("admin") });
  await mailed({ ...replaced, partnerId: partner.id });
  const source = mail.mails[0]?.source.replace(/=\n/g, "") ?? "";
  expect(source).toContain("O client secret foi");
  expect(source.includes("The client secret was")).toBe(alsoEnglish);
});

it("says in the reader's language that the person was erased since", () => {
  const alert = { ...replaced, by: erasedPerson, proposedBy: erasedPerson };
  expect(textOf(alert, ["en"]).text).toContain("Erased person proposed to replace");
  const { text } = textOf(alert, ["pt-BR"]);
  expect(text).toContain("Usuário excluído propôs substituir");
  expect(text).not.toContain(erasedPerson);
});

it("does not go to people who lost their access, nor to those who do not want it, except for security", async () => {
  const [here, gone, quiet] = [
    await partner.person("admin"),
    await partner.person("admin"),
    await partner.person("admin"),
  ];
  await update("users", { disabled_at: 1 }, { id: gone });
  await insert("alerts_off", { user_id: quiet, choice: "connection" });
  const of = { partnerId: partner.id, environment: "production" };
  await mailed({ kind: "connection_recovered", ...of, since });
  expect(recipients()).toEqual(addressesOf(here));
  await mailed({ ...replaced, partnerId: partner.id });
  expect(recipients()).toEqual(addressesOf(here, here, quiet));
});

it("tells operators alone of a failing service (threat: a mail to each of a hundred thousand partners)", async () => {
  await partner.person("admin");
  await world.staff("support");
  const operator = await world.staff("operator");
  const of = { environment: "production", since, problem: "upstream_timeout" } as const;
  await mailed({ kind: "service_failing", ...of });
  expect(recipients()).toEqual(addressesOf(operator));
});

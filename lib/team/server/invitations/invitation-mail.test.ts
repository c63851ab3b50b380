import { configure } from "@/lib/platform/database/testing/configure";
import { Secret } from "@/lib/platform/runtime/secret";
import { beforeAll, describe, expect, it } from "vitest";
import { invitationText } from "./invitation-mail";
import { sendMail } from "@/lib/platform/mail/send-mail";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";

beforeAll(() => configure({ BRAND_NAME: "Atlas Pagamentos" }));

const hour = 3_600_000;
const row = {
  id: "i1",
  partner_id: "aurora",
  token_hash: "0",
  email: "nova@example.com",
  name: null,
  role: "editor",
  invited_by_id: "inviter",
  created_at: Date.now(),
  expires_at: Date.now() + 72 * hour,
  accepted_at: null,
  revoked_at: null,
  mailed_at: null,
  mailed: 1,
} as const;
const link = "https://gancho.example/invitation#token";

it.each([
  ["en", "Invitation to Loja Aurora in Atlas Pagamentos", "3 days"],
  ["pt-BR", "Convite para Loja Aurora em Atlas Pagamentos", "3 dias"],
] as const)(
  "the text of an invitation says in %s who invites to what, and for how long",
  (locale, subject, life) => {
    const mail = invitationText({
      row,
      invitedBy: "Marina Castro",
      link,
      partner: "Loja Aurora",
      locales: [locale],
    });
    expect(mail.subject).toBe(subject);
    for (const part of ["Marina Castro", "Loja Aurora", `\n\n${link}\n\n`, life])
      expect(mail.text).toContain(part);
  },
);

it.each([
  ["13 days after it was made", 24, "24 hours"],
  ["in its last minutes", 0, "1 hour"],
  ["5 days after it was made", 9 * 24, "9 days"],
])("that is mailed %s says for how long its link still works", (_, hoursLeft, life) => {
  const expires_at = Date.now() + hoursLeft * hour;
  const late = { ...row, created_at: expires_at - 14 * 24 * hour, expires_at };
  const mail = {
    row: late,
    invitedBy: null,
    link,
    partner: "Loja Aurora",
    locales: ["en"],
  } as const;
  expect(invitationText(mail).text).toContain(`It works once, for ${life}.`);
});

it("has one link, whatever people's names are (threat: an admin who has Gancho mail their own link)", () => {
  const written = {
    name: "your account is closed, see https://evil.example/pay",
    partner: "evil.example",
    invitedBy: "Ana www.evil.example",
    locales: ["en"],
  } as const;
  const { subject, text } = invitationText({
    ...written,
    row: { ...row, name: written.name },
    link,
  });
  expect(text).toContain("https: //evil[.]example/pay");
  expect(`${subject}\n${text.replace(link, "")}`).not.toMatch(/:\/\/|\w\.\w{2}/);
  const plain = { row, invitedBy: "J.P. Silva", link, locales: ["en"] } as const;
  const dotted = invitationText({ ...plain, partner: "Loja Ltda." });
  expect(dotted.text).toContain("J.P. Silva invites you to Loja Ltda. in");
});

it.each([
  "www．evil．example",
  "www｡evil。example",
  "www․evil﹒example",
  "https：／／evil．example",
  "ｗｗｗ．ｅｖｉｌ．ｅｘａｍｐｌｅ",
])(
  "has no link in %s, which programs read as its plain form (threat: full-width dots)",
  (invitedBy) => {
    const { text } = invitationText({
      row: { ...row, name: "Nova" },
      invitedBy,
      link,
      partner: "Loja",
      locales: ["en"],
    });
    expect(text.replace(link, "").normalize("NFKC")).not.toMatch(/:\/\/|\w[.。]\w{2}/);
  },
);

it.each(["Ana ﬁnanceira", "株式会社。", "Loja Ｘ"])("leaves %s as it is written", (invitedBy) => {
  const { text } = invitationText({
    row: { ...row, name: "Nova" },
    invitedBy,
    link,
    partner: "Loja",
    locales: ["en"],
  });
  expect(text).toContain(`${invitedBy} invites you`);
});

describe("sending a mail", () => {
  withMail();
  const deliver = (subject: string, text = "x", from = "Pix <pix@example.com>") => {
    const settings = { url: new Secret(mail.url), from };
    return sendMail(settings, { to: row.email, subject, text });
  };

  it("sends plain text to one address", async () => {
    await deliver("Convite é", `Olá\n\n${link}`);
    expect(recipients()).toEqual([row.email]);
    const source = mail.mails[0]?.source ?? "";
    expect(source).toMatch(/^From: Pix <pix@example\.com>$/m);
    expect(source).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
  });

  it("comes from the dashboard's name where the sender has none of its own", async () => {
    await deliver("Hello", "x", "pix@example.com");
    expect(mail.mails[0]?.source).toMatch(/^From: Atlas Pagamentos <pix@example\.com>$/m);
  });

  it("keeps text that people chose out of the headers (threat: further recipients)", async () => {
    await deliver("Invitation to Loja\r\nBcc: everybody@example.com");
    expect(recipients()).toEqual([row.email]);
    expect(mail.mails[0]?.source).not.toMatch(/^Bcc:/m);
  });

  it("rejects when the server does not take it", async () => {
    mail.manner = "refuse";
    await expect(deliver("x")).rejects.toThrow("550");
  });
});

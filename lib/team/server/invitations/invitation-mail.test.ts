import { Secret } from "@/lib/platform/runtime/secret";
import { describe, expect, it } from "vitest";
import { invitationText } from "./invitation-mail";
import { sendMail } from "@/lib/platform/mail/send-mail";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";

const hour = 3_600_000;
const row = {
  id: "i1",
  partner_id: "aurora",
  token_hash: "0",
  email: "nova@example.com",
  name: null,
  role: "editor",
  invited_by: "Marina Castro",
  invited_by_id: "inviter",
  created_at: 0,
  expires_at: 72 * hour,
  accepted_at: null,
  revoked_at: null,
  mailed: 1,
} as const;
const link = "https://gancho.example/invitation#token";

it.each([
  ["en", "Invitation to Loja Aurora in Gancho", "72 hours"],
  ["pt-BR", "Convite para Loja Aurora no Gancho", "72 horas"],
] as const)(
  "the text of an invitation says in %s who invites to what, and for how long",
  (locale, subject, life) => {
    const mail = invitationText({ row, link, partner: "Loja Aurora", locale });
    expect(mail.subject).toBe(subject);
    for (const part of ["Marina Castro", "Loja Aurora", `\n\n${link}\n\n`, life])
      expect(mail.text).toContain(part);
  },
);

it("has one link, whatever people's names are (threat: an admin who has Gancho mail their own link)", () => {
  const written = {
    name: "your account is closed, see https://evil.example/pay",
    partner: "evil.example",
    invited_by: "Ana www.evil.example",
    locale: "en",
  } as const;
  const { subject, text } = invitationText({ ...written, row: { ...row, ...written }, link });
  expect(text).toContain("https: //evil[.]example/pay");
  expect(`${subject}\n${text.replace(link, "")}`).not.toMatch(/:\/\/|\w\.\w{2}/);
  const plain = { row: { ...row, invited_by: "J.P. Silva" }, link, locale: "en" } as const;
  const dotted = invitationText({ ...plain, partner: "Loja Ltda." });
  expect(dotted.text).toContain("J.P. Silva invites you to Loja Ltda. in");
});

describe("sending a mail", () => {
  withMail();
  const deliver = (subject: string, text = "x") => {
    const settings = { url: new Secret(mail.url), from: "Gancho <gancho@example.com>" };
    return sendMail(settings, { to: row.email, subject, text });
  };

  it("sends plain text to one address", async () => {
    await deliver("Convite é", `Olá\n\n${link}`);
    expect(recipients()).toEqual([row.email]);
    const source = mail.mails[0]?.source ?? "";
    expect(source).toMatch(/^From: Gancho <gancho@example\.com>$/m);
    expect(source).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
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

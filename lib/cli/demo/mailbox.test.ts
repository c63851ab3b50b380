import { configure } from "@/lib/platform/database/testing/configure";
import { sendMail } from "@/lib/platform/mail/send-mail";
import { Secret } from "@/lib/platform/runtime/secret";
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import { startMailbox, type Mailbox } from "./mailbox";

let server: MailServer;
let mailbox: Mailbox;
beforeAll(async () => {
  await configure();
  server = await startMailServer();
  mailbox = await startMailbox(server, []);
});
afterAll(async () => {
  await mailbox.close();
  await server.close();
});

const link = `http://localhost:3000/choose-password#${"x".repeat(60)}-_9`;

async function shown(subject: string, text: string): Promise<string> {
  const settings = { url: new Secret(server.url), from: "Gancho <gancho@gancho.example>" };
  await sendMail(settings, { to: "ana@aurora.example", subject, text });
  return (await fetch(mailbox.url)).text();
}

it.each([
  ["plain text", "Your password", "Hello Ana,"],
  ["hardly a letter of ASCII", "日本語の件名", "日本語の本文".repeat(40)],
])("shows a mail as it looks, with its link: %s", async (_what, subject, greeting) => {
  const page = await shown(subject, `${greeting}\n\n${link}\n\n.\n`);
  expect(page).toContain(`<h2>${subject}</h2>`);
  expect(page).toContain("To ana@aurora.example, from Gancho &#60;gancho@gancho.example&#62;");
  expect(page).toContain(greeting);
  expect(page).toContain(`<a href="${link}">${link}</a>`);
});

it("leaves a port to the demo that the demo needs itself", async () => {
  const other = await startMailbox(server, [4030]);
  await other.close();
  expect(new URL(other.url).port).not.toBe("4030");
});

it("runs nothing that a mail contains, and loads nothing (threat: a name with markup)", async () => {
  const page = await shown("<script>1</script>", '<img src="//evil.example">');
  expect(page).not.toMatch(/<script|<img/);
  const { headers } = await fetch(mailbox.url);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
});

it("answers nothing under another name (threat: a website whose name leads to this machine)", async () => {
  const status = await new Promise((resolve, reject) => {
    const headers = { host: "evil.example" };
    request(mailbox.url.replace("localhost", "127.0.0.1"), { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(403);
});

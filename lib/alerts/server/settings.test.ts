import { configure } from "@/lib/platform/database/testing/configure";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";
import { newPerson, password, signInHere } from "@/lib/account/testing/account-world";
import { inOwnAccount, signedIn } from "@/lib/platform/access/testing/asking";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { db } from "@/lib/platform/database/open";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { afterEach, beforeAll, expect, it } from "vitest";
import { changeAlertSettings, readAlertSettings } from "./settings";

withMail();
beforeAll(() => configure());
// Mail of one test must not count in the next.
afterEach(() => sendAll());

const read = signedIn(readAlertSettings);
const change = inOwnAccount(changeAlertSettings);
const all = { connection: true, approvals: true, service: true, locale: "all" } as const;

it("are everything, in every language, until a person changes them, and are personal", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await signInHere(person);
  expect(await read()).toEqual({
    settings: all,
    offered: ["connection", "approvals"],
    mail: true,
  });
  const wanted = { ...all, approvals: false, locale: "pt-BR" } as const;
  await change(wanted);
  await change(wanted);
  expect((await read()).settings).toEqual(wanted);
  await signInHere(other);
  expect((await read()).settings).toEqual(all);
  await signInHere(person);
  await change(all);
  expect((await read()).settings).toEqual(all);
});

it("offer operators the service, and support nothing: only alerts that a person can get are offered", async () => {
  for (const [staffRole, offered] of [
    ["operator", ["service"]],
    ["support", []],
  ] as const) {
    const person = await newPerson({ staffRole });
    await signInHere(person);
    expect((await read()).offered).toEqual(offered);
  }
});

function attempt(email: string, request: { locale?: string; device?: string } = {}) {
  const caller = {
    requestId: "q",
    clientAddress: "192.0.2.7",
    userAgent: "Firefox/144.0 (X11; Linux)",
  };
  return signIn(db(), { ...caller, device: undefined, email, password, ...request }, false);
}

it("have the language of the first sign-in, and keep the one that the person chose", async () => {
  const person = await newPerson();
  await attempt(person.email, { locale: "pt-BR" });
  await attempt(person.email, { locale: "en" });
  await signInHere(person);
  expect((await read()).settings.locale).toBe("pt-BR");
  await change(all);
  await attempt(person.email, { locale: "en" });
  expect((await read()).settings.locale).toBe("all");
});

it("report no first sign-in, but each later one with a new browser (threat: somebody else with the password)", async () => {
  const person = await newPerson();
  const first = await attempt(person.email);
  if (first.outcome !== "signed_in") throw new Error(first.outcome);
  await attempt(person.email, { device: first.device });
  await sendAll();
  expect(mail.mails).toEqual([]);
  await attempt(person.email);
  await sendAll();
  expect(recipients()).toEqual([person.email]);
  const source = mail.mails[0]?.source.replace(/=\n/g, "") ?? "";
  for (const part of [
    "Firefox on Linux",
    "192.0.2.7",
    "change at once the password that you sign in with",
  ])
    expect(source).toContain(part);
});

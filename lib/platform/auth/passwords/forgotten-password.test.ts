import { configure } from "@/lib/platform/database/testing/configure";
import { insert, update } from "@/lib/platform/database/testing/rows";
import { newPerson, outcomeOf, password } from "@/lib/account/testing/account-world";
import { db } from "@/lib/platform/database/open";
import { peopleEntries } from "@/lib/history/testing/people-entries";
import { mail, withMail } from "@/lib/alerts/testing/outbox";
import { untilDone } from "@/lib/platform/runtime/in-flight";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { askForPasswordLink, choosePassword, readPasswordLink } from "./password-link";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";

withMail();
beforeAll(() => configure());
// Work after an answer, such as a mail, must not reach the next test.
afterEach(() => untilDone(20_000));
beforeEach(() => db().deleteFrom("rate_limits").execute());

const asking = { requestId: "q1", clientAddress: "192.0.2.7" };
const chosen = "a river between two hills";

async function ask(email: string, from = asking): Promise<void> {
  await (
    await askForPasswordLink(email, from)
  ).done;
}

/** The token in the newest mail, which has folded lines. */
function mailedToken(): string {
  const text = mail.mails.at(-1)?.source.replace(/=\n/g, "").replace(/=3D/g, "=") ?? "";
  return /choose-password#([\w-]+)/.exec(text)?.[1] ?? "";
}

it("mails a link with which the person chooses a password", async () => {
  const person = await newPerson();
  await ask(` ${person.email.toUpperCase()} `);
  expect(mail.mails.map(({ to }) => to)).toEqual([[person.email]]);
  const token = mailedToken();
  expect(await readPasswordLink(token)).toMatchObject({ state: "open" });
  await choosePassword({ token, password: chosen }, asking);
  const attempt = (typed: string) =>
    signIn(db(), { ...asking, userAgent: null, email: person.email, password: typed }, false);
  expect(await attempt(password)).toMatchObject({ outcome: "refused" });
  expect(await attempt(chosen)).toMatchObject({ outcome: "signed_in" });
  expect(await outcomeOf(choosePassword({ token, password: chosen }, asking))).toBe(
    "invitation_over",
  );
  // The change is mailed, too, so that its victim notices it.
  const alerts = await db().selectFrom("alert_deliveries").select(["kind", "recipient"]).execute();
  expect(alerts).toContainEqual({ kind: "password_changed", recipient: person.id });
});

it("is recorded in the person's history, under nobody's name", async () => {
  const person = await newPerson();
  await ask(person.email);
  expect((await peopleEntries(db())).at(-1)).toMatchObject({
    kind: "password_link_made",
    who: null,
    from: "192.0.2.7",
    outcome: "asked",
    detail: { userId: person.id },
  });
});

it("answers before it checks whether an account has the address (threat: finding out who has an account)", async () => {
  const person = await newPerson();
  const known = await askForPasswordLink(person.email, asking);
  expect(mail.mails).toEqual([]);
  const unknown = await askForPasswordLink("nobody@test.example", asking);
  expect(Object.keys(known)).toEqual(Object.keys(unknown));
  await Promise.all([known.done, unknown.done]);
  expect(mail.mails).toHaveLength(1);
});

it("is refused after three an hour for one address, known or unknown (threat: mail without end)", async () => {
  const person = await newPerson();
  for (const email of [person.email, "nobody@test.example"]) {
    for (let n = 0; n < 3; n++) await ask(email);
    const refused = await askForPasswordLink(email, asking).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "too_many_requests" });
    expect(refused).toHaveProperty("init.retryAfter", expect.closeTo(60 * 60, -2));
  }
  expect(mail.mails).toHaveLength(3);
});

it("is refused after twenty from one network, whatever the addresses", async () => {
  // The process remembers refusals, so no other test calls from there.
  const from = { ...asking, clientAddress: "192.0.2.8" };
  for (let n = 0; n < 20; n++) await ask(`nobody${n}@test.example`, from);
  expect(await outcomeOf(ask("nobody20@test.example", from))).toBe("too_many_requests");
});

it("leaves earlier links working (threat: a stranger who keeps requesting)", async () => {
  const person = await newPerson();
  await ask(person.email);
  const first = mailedToken();
  await ask(person.email);
  const second = mailedToken();
  expect(await readPasswordLink(first)).toMatchObject({ state: "open" });
  await choosePassword({ token: first, password: chosen }, asking);
  expect(await readPasswordLink(second)).toMatchObject({ state: "used" });
});

it("points a person with single sign-on to the provider, and makes no link (threat: a password beside single sign-on)", async () => {
  const person = await newPerson({ passwordSet: false });
  await insert("identities", { issuer: "https://id.example", subject: "s", user_id: person.id });
  await ask(person.email);
  expect(mail.mails).toHaveLength(1);
  expect(mailedToken()).toBe("");
});

it("mails nothing to a person without access", async () => {
  const person = await newPerson();
  await update("users", { disabled_at: 1 }, { id: person.id });
  await ask(person.email);
  expect(mail.mails).toEqual([]);
});

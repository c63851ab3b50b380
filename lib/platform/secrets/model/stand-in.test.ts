import { cases } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isMasked, placeholdersIn, standInFor } from "./stand-in";
import { randomSecrets } from "./testing/random-secrets";

it.each([
  ..."•••••••• ******** ... … * [secret] [redacted] <hidden> <omitted> (removed) xxx XXXX-XXXX".split(
    " ",
  ),
  ..."****1234 ***1234 abc**** ab***yz sk_live_•••• eyJhbGciOi... eyJ...Qsw5c sk-xxxxxxxx1234 1234XXXXXX".split(
    " ",
  ),
  ..."-------- ______ ###### ????".split(" "),
  "fp 9c41 e07d",
])("a mask is no secret: %s", (text) => {
  expect(standInFor(text)).toBe("masked");
  expect(isMasked(text)).toBe(true);
});

it.each([
  ..."{TOKEN} {{token}} ${TOKEN} ${env.TOKEN} <token> <YOUR_TOKEN> [token] %TOKEN% $(TOKEN) #{token} __TOKEN__".split(
    " ",
  ),
  ..."{merchant_id} <cole-aqui> ${WEBHOOK_SECRET_2} $TOKEN $API_KEY live-{TOKEN} token=${API_KEY}".split(
    " ",
  ),
  ..."YOUR_TOKEN your-token-here yourTokenHere CHANGE_ME changeme undefined null NaN SEU_TOKEN sua-senha-aqui".split(
    " ",
  ),
  "{{ token }}",
  "<your token>",
  "<%= token %>",
  "[object Object]",
  "insert your secret here",
])("a placeholder is no secret: %s", (text) => {
  expect(standInFor(text)).toBe("placeholder");
});

it.each(
  "token secret password API_KEY my-secret clientSecret access.token senha chave token1 secret123".split(
    " ",
  ),
)("a word for a secret may be one, but probably is not: %s", (text) => {
  expect(standInFor(text)).toBe("word");
});

it.each([
  ..."x xx 8f2kQ dXNlcjpwYXNz a*b a.b.c 1.2.3 abc123 canary-of-a-proposal very-secret-value tokenize keychain".split(
    " ",
  ),
  // In the form of Windows.
  "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
  // A signature of a detached payload, and a message encrypted without a key of its own.
  "eyJhbGciOiJIUzI1NiJ9..dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  "eyJhbGciOiJkaXIifQ..48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6ji.XFBoMYUZodetZdvTiFvSkQ",
  "🪝🪝🪝",
])("any other text may be a secret: %s", (text) => {
  expect(standInFor(text)).toBeNull();
});

it("a random secret is never taken for a stand-in, whatever it is encoded in", () => {
  fc.assert(
    fc.property(randomSecrets, (secret) => standInFor(secret) === null),
    cases(300_000),
  );
});

it("placeholders in a text are named as they are written", () => {
  expect(placeholdersIn("https://${HOST}/{merchant_id}/<your path>?a={b}")).toEqual([
    "${HOST}",
    "{merchant_id}",
    "<your path>",
    "{b}",
  ]);
  expect(placeholdersIn("https://a.example/{1}?{}&{a=b}")).toEqual([]);
});

import { expect, test } from "vitest";
import { withoutSecrets } from "./without-secrets";

test("an address without anything secret stays as it is, to be compared by eye", () => {
  const url = "https://hooks.loja.example:8443/pix/transfers/v2/notifications";
  expect(withoutSecrets(url)).toBe(url);
});

test("values of the query are masked, their names stay", () => {
  expect(withoutSecrets("https://h.example/p?tenant=aurora&token=s3cr3t=x&flag")).toBe(
    "https://h.example/p?tenant=***&token=***&***",
  );
});

test("a user and password, a fragment and a token in the path are masked", () => {
  expect(withoutSecrets("https://ana:hunter2@h.example/p")).toBe("https://***@h.example/p");
  expect(withoutSecrets("https://h.example/p#access_token=abc")).toBe("https://h.example/p#***");
  expect(withoutSecrets("https://h.example/services/T024BE7LDxyzR3kQ9vVb2/in")).toBe(
    "https://h.example/services/T024***/in",
  );
});

test("a long host is no token, and a text that is no address does not fail", () => {
  const host = "https://hooks1.a-very-long-name-of-a-host-2.example/";
  expect(withoutSecrets(host)).toBe(host);
  expect(withoutSecrets("not an address?key=1")).toBe("not an address?key=***");
  expect(withoutSecrets("")).toBe("");
});

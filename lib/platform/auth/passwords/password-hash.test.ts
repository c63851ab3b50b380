import { hash, verify } from "@node-rs/argon2";
import { expect, it, vi } from "vitest";
import { hashCost } from "./hash-cost";
import { hashPassword, verifyPassword } from "./password-hash";

vi.mock(import("@node-rs/argon2"), async (original) => {
  const argon2 = await original();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

const password = "velho moinho azul";

it("is Argon2id with 64 MiB and three passes", async () => {
  expect(await hash(password, hashCost)).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
});

it("has a salt of its own, and today's cost", async () => {
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(one).toMatch(/^\$argon2id\$/);
  expect(other).not.toBe(one);
});

it("knows the right password, also typed on a keyboard that composes its letters otherwise", async () => {
  const stored = await hashPassword("coração de leão azul");
  expect(await verifyPassword(stored, "coração de leão azul".normalize("NFD"), null)).toBe(true);
  expect(await verifyPassword(stored, "coracao de leao azul", null)).toBe(false);
});

it("refuses everything for a person without a password, at the same cost (threat: telling by the delay who exists)", async () => {
  expect(await verifyPassword(null, password, null)).toBe(false);
  const [checkedAgainst = ""] = vi.mocked(verify).mock.lastCall ?? [];
  const costOf = (stored: string) => stored.split("$", 4).join("$");
  expect(costOf(String(checkedAgainst))).toBe(costOf(await hashPassword(password)));
});

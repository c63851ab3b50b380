import { hash } from "@node-rs/argon2";
import { expect, it } from "vitest";
import { hashCost } from "./hash-cost";
import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword, verifyPassword } from "./password-hash";

const password = "velho moinho azul";

it("is Argon2id with 64 MiB and three passes", async () => {
  expect(await hash(password, hashCost)).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
});

it("has a salt of its own, and today's cost", async () => {
  const [one, other] = await Promise.all([
    hashPassword(password, hashOfProgram),
    hashPassword(password, hashOfProgram),
  ]);
  expect(one).toMatch(/^\$argon2id\$/);
  expect(other).not.toBe(one);
});

it("accepts the right password, also from a keyboard that composes its letters differently", async () => {
  const stored = await hashPassword("coração de leão azul", hashOfProgram);
  expect(await verifyPassword(stored, "coração de leão azul".normalize("NFD"), hashOfProgram)).toBe(
    true,
  );
  expect(await verifyPassword(stored, "coracao de leao azul", hashOfProgram)).toBe(false);
});

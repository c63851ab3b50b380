import { configure } from "@/lib/platform/database/testing/configure";
import { beforeAll, expect, it } from "vitest";
import { passwordFault } from "./password-rules";

beforeAll(() => configure({ BRAND_NAME: "Atlas Pagamentos" }));

const person = { email: "marina.castro@lojaaurora.com.br", name: "Marina Castro" };

it.each([
  "velho moinho azul",
  "três tigres tristes no trigo",
  "a".repeat(10) + "Zk3!mQ" + "b".repeat(200) + "cdwxq",
])("takes %j", (password) => {
  expect(passwordFault(password, person)).toBeNull();
});

it.each([
  ["too_short", "fourteen chars"],
  ["too_long", "ab3!".repeat(64) + "x"],
  ["common", "Correct Horse Battery Staple"],
  ["common", "gancho-demo-only"],
  ["common", "P@ssw0rd2024!!!!"],
  ["common", "Senha@2024#Mudar1"],
  ["common", "AdminAdminRoot!2026"],
  ["common", "10101010202020" + "1"],
  ["common", "aaaaaaaaaaaaaaaaaaaa"],
  ["common", "Tk4!Tk4!Tk4!Tk4!Tk"],
  ["common", "ABCDEFGHIJKLMNOP"],
  ["contains_name", "o cachorro da marina late"],
  ["contains_name", "lojaaurora vende muito"],
  ["contains_name", "minha conta atlas xy"],
] as const)("refuses as %s: %j", (fault, password) => {
  expect(passwordFault(password, person)).toBe(fault);
});

it("counts characters as people do, and takes both ways of typing one for the same", () => {
  expect(passwordFault("é🦜ñ".repeat(5).slice(0, -1) + "xyzw12", person)).toBeNull();
  expect(passwordFault("🦜".repeat(14), person)).toBe("too_short");
});

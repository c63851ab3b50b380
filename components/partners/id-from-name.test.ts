import { idPattern } from "@/lib/id-pattern";
import { expect, test } from "vitest";
import { idFromName } from "./id-from-name";

test("a name becomes what can stand in an address", () => {
  expect(idFromName("Farmácia São João (Centro)")).toBe("farmacia-sao-joao-centro");
  expect(idFromName("  Loja -- 24h ")).toBe("loja-24h");
  expect(idFromName("東京")).toBe("");
});

test("a long name is cut to an id that is allowed, without a hyphen at its end", () => {
  const id = idFromName("Distribuidora de Alimentos do Norte e Nordeste Ltda");
  expect(id).toMatch(idPattern);
  expect(id).not.toMatch(/-$/);
});

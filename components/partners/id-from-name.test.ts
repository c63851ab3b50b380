import { idPattern } from "@/lib/platform/http/model/id-pattern";
import { expect, test } from "vitest";
import { idFromName } from "./id-from-name";

test("turns a name into an id for URLs", () => {
  expect(idFromName("Farmácia São João (Centro)")).toBe("farmacia-sao-joao-centro");
  expect(idFromName("  Loja -- 24h ")).toBe("loja-24h");
  expect(idFromName("東京")).toBe("");
});

test("shortens a long name to a valid id, between words if possible", () => {
  const id = idFromName("Distribuidora de Alimentos do Norte e Nordeste Ltda");
  expect(id).toBe("distribuidora-de-alimentos-do-norte-e");
  expect(idFromName("a".repeat(40) + " b")).toBe("a".repeat(40));
  expect(idFromName("x".repeat(60))).toMatch(idPattern);
});

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fontCharacters } from "./font-characters";

const messages = fileURLToPath(new URL("../platform/i18n/messages/", import.meta.url));

it("the fonts have every character of every message", () => {
  const texts = readdirSync(messages, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => readFileSync(messages + file, "utf8"));
  const used = new Set(texts.join("").replaceAll("\n", ""));
  expect(texts.length).toBeGreaterThan(20);
  expect([...used].filter((character) => !fontCharacters.includes(character))).toEqual([]);
});

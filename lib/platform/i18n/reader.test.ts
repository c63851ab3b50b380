import { expect, it } from "vitest";
import { readerOf } from "./reader";

const readerWith = (headers: Record<string, string>) =>
  readerOf(new Request("https://gancho.example/api", { headers }));

it.each([
  ["a program, which names no language", { "accept-language": "*" }, "en", "UTC"],
  ["a browser in Portuguese", { "accept-language": "pt-PT,pt;q=0.9,en;q=0.8" }, "pt-BR", "UTC"],
  [
    "a person who chose a language, in their zone",
    {
      "accept-language": "en",
      cookie: "__Host-gancho-locale=pt-BR; gancho-time-zone=America%2FSao_Paulo",
    },
    "pt-BR",
    "America/Sao_Paulo",
  ],
  [
    "cookies that no page of ours set",
    { cookie: "gancho-locale=x; gancho-time-zone=%00" },
    "en",
    "UTC",
  ],
])("writes for %s", (_who, headers, locale, timeZone) => {
  expect(readerWith(headers)).toEqual({ locale, timeZone });
});

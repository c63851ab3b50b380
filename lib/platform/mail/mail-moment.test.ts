import { env } from "@/lib/platform/env/env";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { expect, it } from "vitest";
import { mailMoment } from "./mail-moment";

Object.assign(process.env, newKeys());

it.each([
  ["UTC", "en", "Nov 22, 2026 3:05 AM UTC"],
  ["UTC", "pt-BR", "22 de nov. de 2026 03:05 UTC"],
  ["America/Sao_Paulo", "en", "Nov 22, 2026 12:05 AM (Brasilia Standard Time, UTC-3)"],
  ["America/Sao_Paulo", "pt-BR", "22 de nov. de 2026 00:05 (Horário Padrão de Brasília, UTC-3)"],
  ["America/Manaus", "pt-BR", "21 de nov. de 2026 23:05 (Horário Padrão do Amazonas, UTC-4)"],
] as const)(
  "a mail says the time of %s in %s, and names the zone",
  (mailTimeZone, locale, words) => {
    Object.assign(env(), { mailTimeZone });
    const said = mailMoment(locale, Date.UTC(2026, 10, 22, 3, 5));
    expect(said.replaceAll("\u202f", " ")).toBe(words);
  },
);

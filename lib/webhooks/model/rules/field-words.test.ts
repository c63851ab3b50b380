import { locales } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { expect, it } from "vitest";
import { authorizationProblems } from "./authorization-value";
import { callbackUrlProblems } from "./callback-url";

it("every refusal of a rule has a message in every language, and no message is unused", () => {
  for (const locale of locales) {
    const { url, value } = messagesByLocale[locale].webhooks.fieldErrors;
    // `other` quotes an unknown code, of a newer server.
    expect(Object.keys(url).sort()).toEqual(
      [...callbackUrlProblems, "private_host", "dashboard_address", "other"].sort(),
    );
    expect(Object.keys(value).sort()).toEqual([...authorizationProblems, "other"].sort());
  }
});

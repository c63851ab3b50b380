import { locales } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { expect, it } from "vitest";
import { authorizationProblems } from "./authorization-value";
import { callbackUrlProblems } from "./callback-url";

it("every refusal of a rule has words in every language, and no words are left over", () => {
  for (const locale of locales) {
    const { url, value } = messagesByLocale[locale].webhooks.fieldErrors;
    // `other` quotes the code of a refusal that a newer server has words for.
    expect(Object.keys(url).sort()).toEqual(
      [...callbackUrlProblems, "private_host", "other"].sort(),
    );
    expect(Object.keys(value).sort()).toEqual([...authorizationProblems, "other"].sort());
  }
});

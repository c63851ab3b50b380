import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import type { OutsideChange } from "@/lib/webhooks/model/configuration";
import { aConfiguration } from "@/lib/webhooks/testing/configurations";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DifferenceRow } from "./difference-row";

const own = "https://hooks.aurora.example/pix";
const theirs = "https://theirs.example/pix";
const side = (callbackUrl: string, fingerprint = "11111111") => ({ callbackUrl, fingerprint });

const change = (
  type: OutsideChange["type"],
  after: OutsideChange["after"],
  { at = "2026-11-29T14:00:00.000Z", ...rest }: Partial<OutsideChange> = {},
): OutsideChange => ({
  id: type,
  type,
  before: side(own),
  after,
  since: "2026-11-29T13:50:00.000Z",
  at,
  ...rest,
});

/** The words of the row, where the list shows nothing now. */
function textOf(...outside: OutsideChange[]): string {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={messagesByLocale.en}>
      <DifferenceRow
        item={{ kind: "difference", types: ["pix_in", "pix_out"], at: "", onlyValue: false }}
        exposed={[]}
        configuration={aConfiguration([], { outside })}
        mayConnect={false}
        mayAnswer={false}
        acknowledging={{
          pending: false,
          done: false,
          failure: null,
          send: () => Promise.resolve(null),
        }}
      />
    </NextIntlClientProvider>,
  );
  return html.replace(/<[^>]+>/g, "");
}

it("says another address only of the type that was shown with one", () => {
  const text = textOf(change("pix_in", side(own, "22222222")), change("pix_out", side(theirs)));
  expect(text).toContain("Pix out: another address was shown");
  expect(text).toContain("Pix in: another Authorization value, or none, was shown");
  expect(text).not.toContain("Pix in and Pix out: another address");
});

it("says what was shown in the past, and where the last look shows something else", () => {
  const text = textOf(change("pix_out", side(theirs)));
  expect(text).not.toContain("since");
  expect(text).toContain("The last reading shows Pix out differently.");
});

it("takes no address that went elsewhere and came back for a change of the value alone", () => {
  const text = textOf(change("pix_out", side(own, "22222222"), { earlier: [theirs] }));
  expect(text).toContain("Pix out: another address was shown");
  expect(text).toContain("theirs.example");
});

import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { AbsoluteTime, ClockTime, RelativeTime } from "./time";

const now = new Date("2026-11-24T14:00:00Z");
const tenMinutesAhead = "2026-11-24T14:10:00.000Z";

const drawn = (time: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" now={now} messages={messagesByLocale.en}>
      {time}
    </NextIntlClientProvider>,
  );

it.each([
  ["a moment", <AbsoluteTime key="a" at={tenMinutesAhead} />, "Nov 24, 14:00 UTC"],
  ["a time of day", <ClockTime key="c" at={tenMinutesAhead} />, "14:00"],
  ["an age", <RelativeTime key="r" at={tenMinutesAhead} />, "just now"],
  ["a moment to come", <AbsoluteTime key="e" at={tenMinutesAhead} ahead />, "Nov 24, 14:10 UTC"],
])(
  "shows %s as no later than now, unless it may lie ahead (threat: a machine whose clock was ahead recorded it)",
  (_what, time, shown) => {
    const markup = drawn(time);
    expect(markup).toContain(`>${shown}</time>`);
    expect(markup.includes("14:10")).toBe(shown.includes("14:10"));
  },
);

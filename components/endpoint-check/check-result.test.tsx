import { verdicts, type CheckAnswer, type EndpointCheck } from "@/lib/endpoint-check/model/check";
import { egressFailures } from "@/lib/platform/egress/model/failures";
import { locales, type Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CheckResult } from "./check-result";
import { LastCheck } from "./last-check";

const answer = (status: number | null, overrides: Partial<CheckAnswer> = {}): CheckAnswer => ({
  ms: 96,
  status,
  redirectHost: null,
  complete: status !== null,
  failure: status === null ? "no_answer" : null,
  ...overrides,
});

const certificate = {
  names: ["*.aurora.example"],
  issuer: "R11",
  validFrom: "2026-09-01T00:00:00.000Z",
  validTo: "2027-02-01T00:00:00.000Z",
  daysLeft: 71,
};

const enforced: EndpointCheck = {
  type: "pix_in",
  url: "https://hooks.aurora.example/pix",
  typed: false,
  verdict: "accepts_only_with",
  dns: { ms: 14, addresses: ["203.0.114.18", "2606:4700::18"], failure: null },
  tls: { ms: 48, version: "TLSv1.3", certificate, failure: null },
  without: answer(401),
  with: answer(204, { ms: 1_900 }),
  withheld: null,
  sent: '{"event":"endpoint-check"}',
  by: "Marina Castro",
  at: "2026-11-22T12:00:00.000Z",
  since: "2026-11-22T12:00:00.000Z",
  fingerprint: "9c41e07d",
  requestId: "q1",
};

const withheld = [
  "support",
  "typed",
  "not_set",
  "not_shown",
  "not_proven",
  "conflicting_values",
  "unsendable",
  "not_reached",
] as NonNullable<EndpointCheck["withheld"]>[];

/** Covers every verdict, failure and reason, and every variant of each step. */
const samples: EndpointCheck[] = [
  ...verdicts.map((verdict) => ({ ...enforced, verdict })),
  ...egressFailures.flatMap((failure) => [
    { ...enforced, dns: { ms: 1, addresses: null, failure }, tls: null, without: null, with: null },
    { ...enforced, tls: { ms: 1, version: null, certificate, failure }, without: null, with: null },
    { ...enforced, without: answer(null, { failure }), with: null },
  ]),
  ...withheld.map((reason) => ({ ...enforced, with: null, withheld: reason })),
  ...[200, 302, 404, 500].map((status) => ({
    ...enforced,
    without: answer(status, { redirectHost: "login.example.net", complete: false }),
    with: answer(status),
    typed: status === 404,
    fingerprint: status === 500 ? null : enforced.fingerprint,
  })),
  ...[401, 204].map((status) => ({ ...enforced, with: answer(status) })),
  { ...enforced, dns: { ms: 0, addresses: null, failure: null } },
  { ...enforced, url: "https://203.0.114.18/pix" },
  {
    ...enforced,
    tls: { ms: 9, version: "TLSv1.2", failure: null, certificate: { ...certificate, daysLeft: 6 } },
  },
];

/** Renders the node; fails if a message or one of its arguments is missing. */
function html(locale: Locale, node: ReactNode): string {
  const messages = messagesByLocale[locale];
  const onError = (error: Error) => {
    throw error;
  };
  const provider = { locale, messages, timeZone: "UTC", now: new Date(enforced.at), onError };
  return renderToStaticMarkup(
    <NextIntlClientProvider {...provider}>{node}</NextIntlClientProvider>,
  );
}

describe.each(locales)("in %s", (locale) => {
  it("has a text for everything a check can find, in the panel and on the card", () => {
    const { verdict, caveat } = messagesByLocale[locale].endpointCheck;
    for (const check of samples) {
      const panel = html(locale, <CheckResult check={check} demo={false} />);
      expect(panel).toContain(verdict[check.verdict].title);
      expect(panel, "what Gancho saw is not what the payment service meets").toContain(caveat);
      expect(html(locale, <LastCheck daily={false} check={check} current />)).toContain(
        "Marina Castro",
      );
    }
  });

  it("says what was seen, and never what becomes of a notification", () => {
    const { verdict } = messagesByLocale[locale].endpointCheck;
    for (const [found, { title, text }] of Object.entries(verdict))
      expect(`${title} ${text}`, found).not.toMatch(
        /arrive|deliver|probably|may be refused|cannot forge|enforced|cheg(?:am|ar)|entreg|provavelmente|podem ser recusadas/i,
      );
  });

  it("says that a check was made before the card's address or value changed", () => {
    const { outdated, never } = messagesByLocale[locale].endpointCheck.last;
    expect(html(locale, <LastCheck daily={false} check={enforced} current={false} />)).toContain(
      outdated,
    );
    expect(html(locale, <LastCheck daily={false} check={enforced} current />)).not.toContain(
      outdated,
    );
    expect(html(locale, <LastCheck daily={false} check={null} current={false} />)).toContain(never);
  });
});

it("says above its steps what was answered", () => {
  const check = { ...enforced, verdict: "refuses_with", with: answer(null) } as const;
  expect(html("en", <CheckResult check={check} demo={false} />)).toContain(
    "Without Authorization: 401; with the value: no answer.",
  );
});

it("says above its steps why there was no answer", () => {
  const tls = { ms: 1, version: null, certificate, failure: "certificate_expired" } as const;
  const check = { ...enforced, verdict: "tls_failed", tls, without: null, with: null } as const;
  const text = html("en", <CheckResult check={check} demo={false} />).replace(/<.*?>/g, "");
  expect(text).toMatch(/no secure connection\.The certificate has expired\. Nothing was sent\./);
});

it("shows steps, times and sent values as text", () => {
  const panel = html("en", <CheckResult check={enforced} demo={false} />);
  for (const part of [
    "203.0.114.18 and 2606:4700::18, public",
    "TLS 1.3, certificate valid",
    "For *.aurora.example, issued by R11, 71 days left",
    "Sent without Authorization; answered 401",
    "Sent with the registered value (fp 9c41\u00a0e07d); answered 204",
    "POST, once without and once with Authorization",
    "48 ms",
  ])
    expect(panel).toContain(part);
});

it("says on the card when the certificate expires, if that is soon", () => {
  const [now, dayMs] = [Date.parse(enforced.at), 86_400_000];
  const inDays = (days: number) => {
    const validTo = new Date(now + days * dayMs).toISOString();
    // As a check found it that is a month old.
    const found = { ...certificate, validTo, daysLeft: days + 30 };
    const tls = { ms: 48, version: null, failure: null, certificate: found };
    return html("en", <LastCheck daily={false} check={{ ...enforced, tls }} current />);
  };
  expect(inDays(20)).toContain("The certificate seen in that check expires in 20 days.");
  expect(inDays(0)).toContain("The certificate seen in that check expires within a day.");
  expect(inDays(-1)).toContain("The certificate seen in that check has expired.");
  expect(inDays(21)).not.toContain("certificate");
});

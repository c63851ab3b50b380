import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";
import type { CheckAnswer, EndpointCheck } from "@/lib/endpoint-check/model/check";
import { soonDays } from "@/lib/endpoint-check/model/verdict";
import { useFormatter, useTranslations } from "next-intl";

export type StepTone = "ok" | "warn" | "bad" | "skipped" | "info";

type Step = {
  id: "name" | "tls" | "without" | "with" | "limits";
  tone: StepTone;
  title: string;
  details: string[];
  ms: number | null;
};

/** Describes a check's findings step by step. `demo`: addresses of this machine are allowed. */
export function useSteps(): (check: EndpointCheck, demo: boolean) => Step[] {
  const t = useTranslations("endpointCheck");
  const format = useFormatter();

  function name({ dns: { addresses, failure, ms }, url }: EndpointCheck, demo: boolean): Step {
    if (failure) {
      const isUnknown = failure === "name_not_found" || failure === "name_failed";
      const title = t(isUnknown ? "step.nameFailed" : "step.nameRefused");
      return { id: "name", tone: "bad", title, details: [t(`failure.${failure}`)], ms };
    }
    const isLiteral = addresses?.some((address) => url.includes(address));
    const title = t(isLiteral ? "step.nameLiteral" : "step.name");
    if (!addresses) return { id: "name", tone: "info", title, details: [t("step.proxy")], ms };
    const list = format.list(addresses.slice(0, 4));
    const isOwn = demo && addresses.every((address) => /^127\.|^::1$/.test(address));
    const details = [t(isOwn ? "step.addressesDemo" : "step.addresses", { list })];
    return { id: "name", tone: "ok", title, details, ms };
  }

  function tls({ certificate, failure, ms, ...found }: NonNullable<EndpointCheck["tls"]>): Step {
    const { names = [], issuer = "", daysLeft = Infinity } = certificate ?? {};
    const seen = {
      names: names.length > 0 ? format.list(names.slice(0, 3)) : t("step.certificateNoNames"),
      issuer,
      from: new Date(certificate?.validFrom ?? 0),
      to: new Date(certificate?.validTo ?? 0),
      days: Math.max(0, daysLeft),
    };
    const ofCertificate = (words: "certificate" | "certificateSeen") =>
      certificate ? [t(`step.${words}`, seen)] : [];
    if (failure) {
      const details = [t(`failure.${failure}`), ...ofCertificate("certificateSeen")];
      return { id: "tls", tone: "bad", title: t("step.tlsFailed"), details, ms };
    }
    const version = (found.version ?? "TLS").replace(/^TLSv/, "TLS ");
    const isSoon = daysLeft < soonDays;
    const title = t(isSoon ? "step.tlsSoon" : "step.tls", { version });
    const details = ofCertificate("certificate");
    return { id: "tls", tone: isSoon ? "warn" : "ok", title, details, ms };
  }

  /** The endpoint should refuse the message without a value, and accept the one with it. */
  function message(
    id: "without" | "with",
    { status, failure, ms, redirectHost, complete }: CheckAnswer,
    sent: (status: string) => string,
  ): Step {
    if (status === null) {
      const details = failure ? [t(`failure.${failure}`)] : [];
      return { id, tone: "bad", title: t("step.noAnswer"), details, ms };
    }
    const details = [
      sent(String(status)),
      ...(redirectHost === null ? [] : [t("step.redirectsTo", { host: redirectHost })]),
      ...(complete ? [] : [t("step.incomplete")]),
    ];
    const own = id === "with" ? "With" : "Without";
    const isRefused = status === 401 || status === 403;
    if (status < 300 && status >= 200) {
      const tone = id === "with" ? "ok" : "bad";
      return { id, tone, title: t(`step.accepts${own}`), details, ms };
    }
    if (isRefused) {
      const tone = id === "with" ? "warn" : "ok";
      return { id, tone, title: t(`step.refuses${own}`), details, ms };
    }
    const isRedirect = status >= 300 && status < 400;
    const title = isRedirect ? t("step.redirects") : t("step.answers", { status: String(status) });
    return { id, tone: "warn", title, details, ms };
  }

  function withValue(check: EndpointCheck): Step[] {
    const { without, with: answer, withheld, typed, fingerprint } = check;
    if (answer)
      return [
        message("with", answer, (status) =>
          typed
            ? t("step.sentWithTyped", { status })
            : fingerprint === null
              ? t("step.sentWithRegistered", { status })
              : t("step.sentWithRegisteredFp", {
                  fingerprint: spacedFingerprint(fingerprint),
                  status,
                }),
        ),
      ];
    if (!withheld || !without) return [];
    const details = [t(`withheld.${withheld}`)];
    return [{ id: "with", tone: "skipped", title: t("step.notTried"), details, ms: null }];
  }

  function limits(check: EndpointCheck): Step[] {
    const answers = [check.without, check.with].filter((answer) => answer !== null);
    const isPlain = answers.every(
      ({ status, complete }) => status !== null && complete && (status < 300 || status >= 400),
    );
    if (answers.length === 0 || !isPlain) return [];
    const details = [t("step.limitsText")];
    return [{ id: "limits", tone: "info", title: t("step.limits"), details, ms: null }];
  }

  return (check, demo) => [
    name(check, demo),
    ...(check.tls ? [tls(check.tls)] : []),
    ...(check.without
      ? [message("without", check.without, (status) => t("step.sentWithout", { status }))]
      : []),
    ...withValue(check),
    ...limits(check),
  ];
}

import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";
import type { CheckAnswer, EndpointCheck } from "@/lib/endpoint-check/model/check";
import { soonDays } from "./verdict-tone";
import { useFormatter, useTranslations } from "next-intl";

export type StepTone = "ok" | "warn" | "bad" | "skipped" | "info";

type Step = {
  id: "name" | "tls" | "without" | "with" | "limits";
  tone: StepTone;
  title: string;
  details: string[];
  ms: number | null;
};

/** A check's findings, step by step, in words. `demo`: addresses of this machine are no mistake. */
export function useSteps(): (check: EndpointCheck, demo: boolean) => Step[] {
  const t = useTranslations("endpointCheck");
  const format = useFormatter();

  function name({ dns, url }: EndpointCheck, demo: boolean): Step {
    const base = { id: "name", ms: dns.ms } as const;
    if (dns.failure) {
      const isUnknown = dns.failure === "name_not_found" || dns.failure === "name_failed";
      const title = t(isUnknown ? "step.nameFailed" : "step.nameRefused");
      return { ...base, tone: "bad", title, details: [t(`failure.${dns.failure}`)] };
    }
    if (!dns.addresses) {
      return { ...base, tone: "info", title: t("step.name"), details: [t("step.proxy")] };
    }
    const isLiteral = dns.addresses.some((address) => url.includes(address));
    const list = format.list(dns.addresses.slice(0, 4));
    return {
      ...base,
      tone: "ok",
      title: t(isLiteral ? "step.nameLiteral" : "step.name"),
      details: [t(demo ? "step.addressesDemo" : "step.addresses", { list })],
    };
  }

  function tls({ tls: found }: EndpointCheck): Step[] {
    if (!found) return [];
    const { certificate, failure, ms } = found;
    const names = certificate
      ? certificate.names.length > 0
        ? format.list(certificate.names.slice(0, 3))
        : t("step.certificateNoNames")
      : "";
    if (failure) {
      const seen = certificate
        ? [
            t("step.certificateSeen", {
              names,
              issuer: certificate.issuer,
              from: new Date(certificate.validFrom),
              to: new Date(certificate.validTo),
            }),
          ]
        : [];
      const details = [t(`failure.${failure}`), ...seen];
      return [{ id: "tls", tone: "bad", title: t("step.tlsFailed"), details, ms }];
    }
    const version = (found.version ?? "TLS").replace(/^TLSv/, "TLS ");
    const isSoon = (certificate?.daysLeft ?? Infinity) < soonDays;
    const details = certificate
      ? [
          t("step.certificate", {
            names,
            issuer: certificate.issuer,
            days: Math.max(0, certificate.daysLeft),
          }),
        ]
      : [];
    const title = t(isSoon ? "step.tlsSoon" : "step.tls", { version });
    return [{ id: "tls", tone: isSoon ? "warn" : "ok", title, details, ms }];
  }

  function notes(answer: CheckAnswer): string[] {
    return [
      ...(answer.redirectHost === null
        ? []
        : [t("step.redirectsTo", { host: answer.redirectHost })]),
      ...(answer.status !== null && !answer.complete ? [t("step.incomplete")] : []),
    ];
  }

  function answered(
    id: "without" | "with",
    answer: CheckAnswer,
    words: {
      accepts: [StepTone, string];
      refuses: [StepTone, string];
      sent: (s: string) => string;
    },
  ): Step {
    const { status, failure, ms } = answer;
    if (status === null)
      return {
        id,
        tone: "bad",
        title: t("step.noAnswer"),
        details: failure ? [t(`failure.${failure}`)] : [],
        ms,
      };
    const [tone, title]: [StepTone, string] =
      status >= 200 && status < 300
        ? words.accepts
        : status === 401 || status === 403
          ? words.refuses
          : status >= 300 && status < 400
            ? ["warn", t("step.redirects")]
            : ["warn", t("step.answers", { status: String(status) })];
    return { id, tone, title, details: [words.sent(String(status)), ...notes(answer)], ms };
  }

  function without({ without: answer }: EndpointCheck): Step[] {
    if (!answer) return [];
    return [
      answered("without", answer, {
        accepts: ["bad", t("step.acceptsWithout")],
        refuses: ["ok", t("step.refusesWithout")],
        sent: (status) => t("step.sentWithout", { status }),
      }),
    ];
  }

  function withValue(check: EndpointCheck): Step[] {
    const { with: answer, withheld, typed, fingerprint } = check;
    if (answer)
      return [
        answered("with", answer, {
          accepts: ["ok", t("step.acceptsWith")],
          refuses: ["bad", t("step.refusesWith")],
          sent: (status) =>
            typed
              ? t("step.sentWithTyped", { status })
              : fingerprint === null
                ? t("step.sentWithRegistered", { status })
                : t("step.sentWithRegisteredFp", {
                    fingerprint: spacedFingerprint(fingerprint),
                    status,
                  }),
        }),
      ];
    if (!withheld || withheld === "not_reached") return [];
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
    ...tls(check),
    ...without(check),
    ...withValue(check),
    ...limits(check),
  ];
}

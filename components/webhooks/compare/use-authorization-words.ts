import type { ShownAuthorization } from "@/lib/webhooks/model/compare";
import { useTranslations } from "next-intl";

/** Describes an Authorization value in a comparison. */
export function useAuthorizationWords(): (side: ShownAuthorization) => string {
  const t = useTranslations("webhooks.authorization");
  return (side) => {
    if (side.kind === "typed") return t("typed", { length: side.length });
    if (side.kind !== "set") return t(side.kind);
    return side.fingerprint === null
      ? t("set")
      : t("setAs", { fingerprint: spacedFingerprint(side.fingerprint) });
  };
}

/**
 * A fingerprint in two groups of four, for comparing by eye, with a non-breaking space. Server components use it too.
 */
export function spacedFingerprint(fingerprint: string): string {
  return fingerprint.replace(/(.{4})(?=.)/g, "$1\u00a0");
}

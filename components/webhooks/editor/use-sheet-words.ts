"use client";

import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { Doubt } from "@/lib/webhooks/model/draft";
import { submitEffect } from "@/lib/webhooks/client/submit-effect";
import type { AppliesTo, WebhookType } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";

/** What a save of these types will do, for the sheet's heading and for its button. */
export function useSheetWords(configuration: Configuration) {
  const t = useTranslations("webhooks");
  const list = (types: readonly WebhookType[]) => {
    const [first, second] = types;
    return t(`typesList.${second ? "both" : (first ?? "both")}`);
  };
  const effects = (appliesTo: AppliesTo) => {
    const { register, overwrite } = submitEffect(configuration, appliesTo);
    if (overwrite.length === 0) return { kind: "register", register: list(register) } as const;
    if (register.length === 0) return { kind: "overwrite", overwrite: list(overwrite) } as const;
    return { kind: "mixed", register: list(register), overwrite: list(overwrite) } as const;
  };

  return {
    description(appliesTo: AppliesTo): string {
      const effect = effects(appliesTo);
      if (effect.kind === "register") return t("sheet.registers", { types: effect.register });
      return effect.kind === "overwrite" ? t("sheet.overwrites") : t("sheet.mixed", effect);
    },
    submit(appliesTo: AppliesTo): string {
      const effect = effects(appliesTo);
      if (effect.kind === "register") return t("sheet.submitRegister", { types: effect.register });
      return effect.kind === "overwrite"
        ? t("sheet.submitOverwrite", { types: effect.overwrite })
        : t("sheet.submitMixed", effect);
    },
    /** After the person was asked about it. */
    submitDoubted(appliesTo: AppliesTo, doubt: Doubt): string {
      const types = list(submitEffect(configuration, appliesTo).register);
      return t(doubt === "none" ? "sheet.submitWithout" : "sheet.submitWeak", { types });
    },
  };
}

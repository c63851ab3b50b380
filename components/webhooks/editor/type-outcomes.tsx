"use client";

import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { useTranslations } from "next-intl";

/** How a save ended for each type it was about. */
export function TypeOutcomes({ results }: { results: SaveResult["results"] }) {
  const t = useTranslations("webhooks");
  return (
    <ul>
      {results.map(({ type, outcome, authorization }) => (
        <li key={type}>
          <strong className="font-semibold">{t(`types.${type}`)}</strong>:{" "}
          {authorization ? t("result.types.addressOnly") : t(`result.types.${outcome}`)}
        </li>
      ))}
    </ul>
  );
}

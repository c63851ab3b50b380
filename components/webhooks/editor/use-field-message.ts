"use client";

import { useTranslations } from "next-intl";

/** The words for a field code. A code that has none is shown, so that it can at least be quoted. */
export function useFieldMessage(): (
  field: "url" | "value" | "keep",
  code: string | undefined,
) => string | undefined {
  const t = useTranslations("webhooks.fieldErrors");
  return (field, code) => {
    if (!code) return undefined;
    const key = `${field}.${code}`;
    return hasKey(t, key) ? t(key) : t("other", { code });
  };
}

type Translate = ReturnType<typeof useTranslations<"webhooks.fieldErrors">>;
type Key = Exclude<Parameters<Translate["has"]>[0], "other">;

function hasKey(t: Translate, key: string): key is Key {
  return t.has(key as Key);
}

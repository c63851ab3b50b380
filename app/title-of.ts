import type { NamespaceWith } from "@/lib/platform/i18n/model/messages";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

/** A message namespace with a page title. */
export type TitledNamespace = NamespaceWith<"title">;

/** Makes a page's `generateMetadata`. */
export function titleOf(namespace: TitledNamespace) {
  return async (): Promise<Metadata> => {
    // The cast works because every one of these namespaces has a title. It must take no values.
    const t = await getTranslations(namespace as "team");
    return { title: t("title") };
  };
}

import type { NamespaceWith } from "@/lib/platform/i18n/model/messages";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

/** A message namespace with a page title. */
export type TitledNamespace = NamespaceWith<"title">;

/** Next replaces "%s" in a template of titles, so nothing else in it may contain that. */
export function inTitle(name: string): string {
  return name.replaceAll("%s", "%");
}

/** Makes a page's `generateMetadata`. */
export function titleOf(namespace: TitledNamespace) {
  return async (): Promise<Metadata> => {
    // The cast works because every one of these namespaces has a title. It must take no values.
    const t = await getTranslations(namespace as "team");
    return { title: t("title") };
  };
}

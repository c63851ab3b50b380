import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

/** The message namespaces with a page title. */
export type TitledNamespace =
  | "account"
  | "approvals.page"
  | "connection"
  | "installation"
  | "installation.choose"
  | "invitation"
  | "partners"
  | "receiverKit"
  | "shell.notFound"
  | "signIn"
  | "signIn.forgotten"
  | "support.banner"
  | "team"
  | "timeline"
  | "timeline.activity"
  | "watch"
  | "webhooks";

/** Makes a page's `generateMetadata`. */
export function titleOf(namespace: TitledNamespace) {
  return async (): Promise<Metadata> => {
    // The cast works because every one of these namespaces has a title.
    const t = await getTranslations(namespace as "team");
    return { title: t("title") };
  };
}

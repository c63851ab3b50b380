import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

/** The messages that hold a page's title. */
export type Titled =
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

/** A page's `generateMetadata`. */
export function titleOf(titled: Titled) {
  return async (): Promise<Metadata> => {
    // The cast works because every one of these namespaces has a title.
    const t = await getTranslations(titled as "team");
    return { title: t("title") };
  };
}

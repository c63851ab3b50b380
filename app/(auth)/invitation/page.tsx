import { InvitationScreen } from "@/components/invitation/invitation-screen";
import { ClientMessages } from "@/components/shell/client-messages";
import { RememberTimeZone } from "@/components/shell/remember-time-zone";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invitation");
  return { title: t("title") };
}

/** The token stands after the #, so what the link is good for is found out by the browser. */
export default function InvitationPage() {
  return (
    <ClientMessages namespaces={["common", "shell", "problems", "signIn", "team", "invitation"]}>
      <RememberTimeZone />
      <InvitationScreen />
      <LanguageSwitch />
    </ClientMessages>
  );
}

import { ClientMessages } from "@/components/layout/client-messages";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { ChoosePassword } from "@/components/staff/choose-password";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("installation.choose");
  return { title: t("title") };
}

/** The token stands after the #, so what the link is good for is found out by the browser. */
export default function ChoosePasswordPage() {
  return (
    <ClientMessages namespaces={["problems", "password", "installation"]}>
      <ChoosePassword />
      <LanguageSwitch />
    </ClientMessages>
  );
}

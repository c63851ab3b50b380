import { ClientMessages } from "@/components/layout/client-messages";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { ChoosePassword } from "@/components/staff/choose-password";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("installation.choose");
  return { title: t("title") };
}

/** The token stands after the #, so only the browser can find out what the link is for. */
export default function ChoosePasswordPage() {
  return (
    <ClientMessages namespaces={["problems", "password", "installation"]}>
      <ChoosePassword />
      <LanguageSwitch />
    </ClientMessages>
  );
}

import { ClientMessages } from "@/components/layout/client-messages";
import { ForgotPassword } from "@/components/sign-in/forgot-password";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { env } from "@/lib/platform/env/env";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("signIn.forgotten");
  return { title: t("title") };
}

export default function ForgotPasswordPage() {
  const { mail, oidc } = env();
  return (
    <ClientMessages namespaces={["problems"]}>
      <ForgotPassword mails={mail !== null} provider={oidc?.name ?? null} />
      <LanguageSwitch />
    </ClientMessages>
  );
}

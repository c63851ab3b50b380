import { AccountScreen } from "@/components/account/account-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { onPage } from "@/lib/platform/access/on-page";
import { readAccount } from "@/lib/account/server/read-account";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("account");
  return { title: t("title") };
}

export default async function AccountPage() {
  const account = await onPage("/account", readAccount());
  return (
    <ClientMessages namespaces={["common", "shell", "problems", "password", "account"]}>
      <AccountScreen account={account} />
    </ClientMessages>
  );
}

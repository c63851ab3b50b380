import { AccountScreen } from "@/components/account/account-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { onPage } from "@/lib/platform/access/on-page";
import { requireSignedIn } from "@/lib/platform/access/require";
import { readAccount } from "@/lib/account/server/read-account";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("account");
  return { title: t("title") };
}

export default async function AccountPage() {
  const account = await readAccount(await onPage("/account", requireSignedIn()));
  return (
    <ClientMessages namespaces={["password", "account"]}>
      <AccountScreen account={account} />
    </ClientMessages>
  );
}

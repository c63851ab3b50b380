import { ClientMessages } from "@/components/shell/client-messages";
import { Mark } from "@/components/shell/mark";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations("common");
  return (
    <ClientMessages namespaces={["common", "shell", "signIn"]}>
      <main className="mx-auto flex min-h-dvh w-full max-w-103 flex-col justify-center gap-5 px-4 py-10">
        <p className="flex items-center justify-center gap-2.5 text-[0.9375rem] font-semibold">
          <Mark />
          {t("product")}
        </p>
        {children}
      </main>
    </ClientMessages>
  );
}

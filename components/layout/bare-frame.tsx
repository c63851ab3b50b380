import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Mark } from "./mark";

/** The frame of a page outside the console: the product's name, and no controls. */
export function BareFrame({ children }: { children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh w-full max-w-103 flex-col justify-center gap-5 px-4 py-10"
    >
      <p className="flex items-center justify-center gap-2.5 text-[0.9375rem] font-semibold">
        <Mark />
        {t("product")}
      </p>
      {children}
    </main>
  );
}

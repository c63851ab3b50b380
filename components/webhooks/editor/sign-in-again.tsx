"use client";

import { ButtonLink } from "@/components/ui/button-link";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";

/** The session ended meanwhile: the way in again, and back to this page. */
export function SignInAgain({ variant = "secondary" }: { variant?: "primary" | "secondary" }) {
  const t = useTranslations("webhooks");
  const path = usePathname();
  return (
    <ButtonLink variant={variant} href={`/sign-in?callbackUrl=${encodeURIComponent(path)}`}>
      {t("signInAgain")}
    </ButtonLink>
  );
}

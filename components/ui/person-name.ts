import { erasedPerson } from "@/lib/platform/secrets/model/people";
import { useTranslations } from "next-intl";

/** A person's name as shown; for an erased person, words in the reader's language that say so. */
export function usePersonName(): (name: string) => string {
  const t = useTranslations();
  return (name) => personName(name, t);
}

/** The same where the translations are at hand. */
export function personName(name: string, t: ReturnType<typeof useTranslations<never>>): string {
  return name === erasedPerson ? t("common.erasedPerson") : name;
}

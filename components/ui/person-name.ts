import { erasedPerson } from "@/lib/platform/secrets/model/people";
import { useTranslations } from "next-intl";

/** A person's name as shown; for an erased person, "Erased person" in the reader's language. */
export function usePersonName(): (name: string) => string {
  const t = useTranslations();
  return (name) => personName(name, t);
}

/** The same, given the translations. */
export function personName(name: string, t: ReturnType<typeof useTranslations<never>>): string {
  return name === erasedPerson ? t("common.erasedPerson") : name;
}

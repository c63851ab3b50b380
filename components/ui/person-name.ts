import { erasedPerson } from "@/lib/platform/secrets/model/erased-person";
import { useTranslations } from "next-intl";

/** A person's name as shown; for an erased person, words in the reader's language that say so. */
export function usePersonName(): (name: string) => string {
  const t = useTranslations("common");
  return (name) => (name === erasedPerson ? t("erasedPerson") : name);
}

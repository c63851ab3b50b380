import { erasedPerson } from "@/lib/platform/secrets/model/erased-person";
import { useTranslations } from "next-intl";

/** The name of somebody who did something; of a person who was erased, that they were, in the reader's language. */
export function usePersonName(): (name: string) => string {
  const t = useTranslations("common");
  return (name) => (name === erasedPerson ? t("erasedPerson") : name);
}

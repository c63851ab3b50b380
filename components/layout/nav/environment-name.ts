import { useTranslations } from "next-intl";

/** An environment's display name. Operators choose the names; only the usual ones are translated. */
export function useEnvironmentName(): (environment: string) => string {
  const t = useTranslations("common.environments");
  return (environment) =>
    environment === "production" || environment === "sandbox" ? t(environment) : environment;
}

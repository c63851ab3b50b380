import { useTranslations } from "next-intl";

/** An environment's name. The operator chooses it; only the usual names are translated. */
export function useEnvironmentName(): (environment: string) => string {
  const t = useTranslations("common.environments");
  return (environment) =>
    environment === "production" || environment === "sandbox" ? t(environment) : environment;
}

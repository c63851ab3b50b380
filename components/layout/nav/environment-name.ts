import { useTranslations } from "next-intl";

/** What an environment is called. The operator names them; only the usual names are translated. */
export function useEnvironmentName(): (environment: string) => string {
  const t = useTranslations("common.environments");
  return (environment) =>
    environment === "production" || environment === "sandbox" ? t(environment) : environment;
}

import { EnvironmentBadge } from "@/components/layout/nav/environment-badge";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/time";
import type { EnvironmentHealth } from "@/lib/installation/model/health";
import { useTranslations } from "next-intl";
import Link from "next/link";

const head = "bg-sunken px-3 py-2 sm:px-4 text-left text-small font-medium text-ink-2";
const cell = "border-t border-line px-3 py-2.5 align-middle sm:px-4";

/** How the payment service did in each environment, as far as Gancho has seen; on a phone without the lesser columns. */
export function EnvironmentsTable({
  environments,
}: {
  environments: readonly EnvironmentHealth[];
}) {
  const t = useTranslations("installation.environments");
  return (
    <section aria-labelledby="environments" className="flex flex-col gap-4">
      <h2 id="environments" className="text-base font-semibold">
        {t("title")}
      </h2>
      <div className="rounded-card border border-line bg-surface shadow-card">
        <table className="w-full border-separate border-spacing-0">
          <caption className="sr-only">{t("caption")}</caption>
          <thead>
            <tr>
              <th scope="col" className={`${head} rounded-tl-card`}>
                {t("environment")}
              </th>
              <th scope="col" className={`${head} max-md:hidden`}>
                {t("service")}
              </th>
              <th scope="col" className={`${head} max-sm:hidden`}>
                {t("connections")}
              </th>
              <th scope="col" className={head}>
                {t("failing")}
              </th>
              <th scope="col" className={`${head} rounded-tr-card`}>
                {t("lastConfirmed")}
              </th>
            </tr>
          </thead>
          <tbody>
            {environments.map((environment) => (
              <tr key={environment.name}>
                <th scope="row" className={`${cell} text-left font-normal`}>
                  <EnvironmentBadge environment={environment.name} />
                </th>
                <td
                  className={`${cell} font-mono text-small [overflow-wrap:anywhere] max-md:hidden`}
                >
                  {environment.host}
                </td>
                <td className={`${cell} tabular-nums max-sm:hidden`}>{environment.connections}</td>
                <td className={cell}>
                  <Failing environment={environment} />
                </td>
                <td className={`${cell} text-ink-2 *:max-sm:whitespace-normal`}>
                  {environment.lastConfirmedAt ? (
                    <RelativeTime at={environment.lastConfirmedAt} />
                  ) : (
                    t("never")
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Failing({ environment }: { environment: EnvironmentHealth }) {
  const { name, failing, lastConfirmedAt } = environment;
  const t = useTranslations("installation.environments");
  // That nothing fails is only known of a service that was asked.
  if (failing === 0 && lastConfirmedAt === null)
    return <Badge tone="neutral">{t("unknown")}</Badge>;
  if (failing === 0) return <Badge tone="ok">{t("none")}</Badge>;
  return (
    <Link
      href={`/partners?status=failing&environment=${name}`}
      aria-label={t("show", { count: failing, environment: name })}
      className="underline underline-offset-2"
    >
      <Badge tone="bad">{failing}</Badge>
    </Link>
  );
}

import { EnvironmentBadge } from "@/components/layout/nav/environment-badge";
import { Badge } from "@/components/ui/badge";
import { Cell, RowHeading, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { EnvironmentHealth } from "@/lib/installation/model/health";
import { useTranslations } from "next-intl";
import Link from "next/link";

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
      <Table
        caption={t("caption")}
        columns={[
          { name: t("environment") },
          { name: t("service"), className: "max-md:hidden" },
          { name: t("connections"), className: "max-sm:hidden" },
          { name: t("failing") },
          { name: t("lastConfirmed"), className: "max-sm:whitespace-normal" },
        ]}
      >
        {environments.map((environment) => (
          <tr key={environment.name}>
            <RowHeading>
              <EnvironmentBadge environment={environment.name} />
            </RowHeading>
            <Cell className="font-mono text-small [overflow-wrap:anywhere] max-md:hidden">
              {environment.host}
            </Cell>
            <Cell className="tabular-nums max-sm:hidden">{environment.connections}</Cell>
            <Cell>
              <Failing environment={environment} />
            </Cell>
            <Cell className="text-ink-2 *:max-sm:whitespace-normal">
              {environment.lastConfirmedAt ? (
                <RelativeTime at={environment.lastConfirmedAt} />
              ) : (
                t("never")
              )}
            </Cell>
          </tr>
        ))}
      </Table>
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

import { Fact } from "@/components/ui/fact";
import { Section } from "@/components/ui/section";
import { PageHeader } from "@/components/layout/page-header";
import { StaffSection } from "@/components/staff/staff-section";
import { ButtonLink } from "@/components/ui/button-link";
import type { StaffPerson } from "@/lib/staff/model/staff";
import type { Health, EnvironmentHealth } from "@/lib/installation/model/health";
import { useTranslations } from "next-intl";
import { TriangleAlert } from "lucide-react";
import { EnvironmentBadge } from "@/components/layout/nav/environment-badge";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Badge } from "@/components/ui/badge";
import { Cell, RowHeading, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import Link from "next/link";
import { ToFixList } from "./to-fix";

type InstallationScreenProps = { health: Health; people: readonly StaffPerson[] };

/** The operators' page about the installation itself. */
export function InstallationScreen({ health, people }: InstallationScreenProps) {
  const t = useTranslations("installation");
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title={t("title")}
        intro={t("intro")}
        actions={<ButtonLink href="/installation/activity">{t("activity")}</ButtonLink>}
      />
      <ToFixList health={health} />
      <HealthCard health={health} />
      <EnvironmentsTable environments={health.environments} />
      <StaffSection people={people} />
    </div>
  );
}

/** What the installation runs on, and whether it works. */
function HealthCard({ health }: { health: Health }) {
  const t = useTranslations("installation.health");
  const { database, partners, alerts } = health;
  /** For a feature that is off, names the variable that sets it up. */
  const setUp = (isOn: boolean, variable: string) =>
    isOn ? [t("on")] : [t("off"), t("how", { variable })];
  const undelivered =
    alerts.waiting + alerts.givenUp > 0
      ? t("alertsUndelivered", { waiting: alerts.waiting, givenUp: alerts.givenUp })
      : null;
  const [webhook = "", how] = setUp(alerts.webhook, "ALERTS_URL");
  const facts = [
    [t("version"), t("versionValue", { version: health.version, node: health.node })],
    [
      t("database"),
      t("databaseValue", { engine: database.engine, ms: database.answeredInMs }),
      t("schema", { schema: database.schema }),
    ],
    [t("partners"), t("partnersValue", partners)],
    [t("people"), String(health.people)],
    [t("mail"), ...setUp(health.mail, "SMTP_URL")],
    [t("alerts"), webhook, [how, undelivered].filter(Boolean).join(" ")],
    [t("singleSignOn"), ...setUp(health.singleSignOn, "OIDC_ISSUER")],
  ];
  return (
    <Section title={t("title")}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(([name = "", value, more]) => (
          <Fact key={name} name={name} hint={more}>
            {value}
          </Fact>
        ))}
        <SecondPersonFact partners={health.withoutSecondPerson} />
        {/* Shows operators which keys they can remove and which they must keep. */}
        <Fact name={t("keys")} className="min-w-0 sm:col-span-2 lg:col-span-3">
          {health.keys.map(({ id, standing, dataKeys }) => (
            <span key={id} className="flex flex-wrap items-center gap-x-2">
              <span translate="no" className="font-mono text-small">
                {id}
              </span>
              {standing === "missing" ? (
                <TriangleAlert aria-hidden className="size-4 text-warn" />
              ) : null}
              <span>{t(`standing.${standing}`, { count: dataKeys })}</span>
            </span>
          ))}
        </Fact>
      </dl>
    </Section>
  );
}

const mostNamed = 20;

/** The partners in which nothing can be approved; nothing where there are none. */
function SecondPersonFact({ partners }: { partners: Health["withoutSecondPerson"] }) {
  const t = useTranslations("installation.health");
  if (partners.length === 0) return null;
  const more = partners.length - mostNamed;
  return (
    <Fact
      name={t("withoutSecondPerson")}
      hint={t("withoutSecondPersonHint")}
      className="min-w-0 sm:col-span-2 lg:col-span-3"
    >
      {partners.slice(0, mostNamed).map(({ id, name }) => (
        <span key={id} className="flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">
          <span translate="no">{name}</span>
          <span translate="no" className="font-mono text-small text-ink-2">
            {id}
          </span>
        </span>
      ))}
      {more > 0 ? (
        <Link
          href="/partners?status=no_second_person"
          prefetch={false}
          className="underline underline-offset-2"
        >
          {t("more", { count: more })}
        </Link>
      ) : null}
    </Fact>
  );
}

/** The health of the payment service in each environment, from Gancho's own readings. */
function EnvironmentsTable({ environments }: { environments: readonly EnvironmentHealth[] }) {
  const t = useTranslations("installation.environments");
  return (
    <Section bare title={t("title")}>
      <Table
        caption={t("caption")}
        columns={[
          { name: t("environment") },
          { name: t("service"), className: "max-md:hidden" },
          { name: t("connections"), className: "max-sm:hidden" },
          { name: t("failing") },
          { name: t("lastConfirmed"), className: "max-sm:hidden" },
        ]}
      >
        {environments.map((environment) => (
          <tr key={environment.name}>
            <RowHeading>
              <EnvironmentBadge environment={environment.name} />
              <p className="mt-1.5 flex flex-wrap gap-x-1 text-small text-ink-2 sm:hidden">
                <span>{t("lastConfirmed")}</span>
                <LastConfirmed environment={environment} />
              </p>
            </RowHeading>
            <Cell className="font-mono text-small [overflow-wrap:anywhere] max-md:hidden">
              {environment.host}
            </Cell>
            <Cell className="tabular-nums max-sm:hidden">{environment.connections}</Cell>
            <Cell>
              <Failing environment={environment} />
            </Cell>
            <Cell className="text-ink-2 max-sm:hidden">
              <LastConfirmed environment={environment} />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function LastConfirmed({ environment: { lastConfirmedAt } }: { environment: EnvironmentHealth }) {
  const t = useTranslations("installation.environments");
  return lastConfirmedAt ? <RelativeTime at={lastConfirmedAt} /> : <span>{t("never")}</span>;
}

function Failing({ environment }: { environment: EnvironmentHealth }) {
  const { name, failing, lastConfirmedAt } = environment;
  const t = useTranslations("installation.environments");
  const nameOf = useEnvironmentName();
  // Without a single reading, nobody knows whether the service works.
  if (failing === 0 && lastConfirmedAt === null)
    return <Badge tone="neutral">{t("unknown")}</Badge>;
  if (failing === 0) return <Badge tone="ok">{t("none")}</Badge>;
  return (
    <Link
      href={`/partners?status=failing&environment=${name}`}
      prefetch={false}
      aria-label={t("show", { count: failing, environment: nameOf(name) })}
      className="underline underline-offset-2"
    >
      <Badge tone="bad">{failing}</Badge>
    </Link>
  );
}

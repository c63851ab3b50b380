import { titleOf, type TitledNamespace } from "@/app/title-of";
import { PageHeader } from "@/components/layout/page-header";
import { HereProvider } from "@/components/layout/here";
import { RefusedState } from "@/components/layout/states/state";
import { Streamed } from "@/components/layout/streamed";
import { AsOf } from "@/components/layout/words";
import { Skeleton } from "@/components/ui/skeleton";
import { onPage, unlessRefused } from "@/lib/platform/access/on-page";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Permission } from "@/lib/platform/access/model/roles";
import {
  requireEnvironment,
  requirePartner,
  type PartnerAccess,
} from "@/lib/platform/access/require";
import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { getLocale, getNow, getTimeZone, getTranslations } from "next-intl/server";
import type { ReactElement, ReactNode } from "react";

export type Search = Record<string, string | string[] | undefined>;

type PageUrl<Params> = { params: Params; search: Search };

type ConsolePage<Params, Access> = {
  title: TitledNamespace;
  path: (params: Params) => string;
  access: (params: Params) => Promise<Access>;
  /** `here` is the whole URL, to return to after signing in. */
  load: (page: PageUrl<Params> & { access: Access; here: string }) => Promise<ReactElement>;
  /** Shown while `load` is slow, if the default of two cards does not fit the page; null: `load` streams its own parts. */
  skeleton?: ReactNode;
  /** Wraps the content in providers. */
  wrap?: (page: { params: Params; access: Access }, content: ReactElement) => ReactElement;
};

type Props<Params> = { params: Promise<Params>; searchParams: Promise<Search> };

/** A page of the console: its title, who may open it, and what it shows them. */
export function consolePage<Params, Access extends object>(page: ConsolePage<Params, Access>) {
  return {
    async generateMetadata(props: Props<Params>) {
      const isThere = await page.access(await props.params).then(() => true, isOther);
      return titleOf(isThere ? page.title : "shell.notFound")();
    },
    async Page(props: Props<Params>) {
      const [params, search] = await Promise.all([props.params, props.searchParams]);
      const here = withSearch(page.path(params), search);
      const access = await onPage(here, unlessRefused(here, page.access(params)));
      if (typeof access === "string") return <RefusedState why={access} />;
      const t = await getTranslations(page.title as "team");
      const load = () => onPage(here, page.load({ params, search, access, here }));
      const content =
        page.skeleton === null ? (
          await load()
        ) : (
          <Streamed fallback={page.skeleton ?? <PageSkeleton title={t("title")} />} load={load} />
        );
      const [locale, now, timeZone] = await Promise.all([getLocale(), getNow(), getTimeZone()]);
      return (
        <AsOf locale={locale} now={now} timeZone={timeZone}>
          {page.wrap?.({ params, access }, content) ?? content}
        </AsOf>
      );
    },
  };
}

/** Whatever else keeps the person out, the page itself answers. */
const isOther = (thrown: unknown) =>
  !(thrown instanceof ProblemError && thrown.code === "not_found");

function withSearch(path: string, search: Search): string {
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([name, value = []]) =>
      [value].flat().map((each) => [name, each]),
    ),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

type InEnvironment = { partner: string; environment: string };

type EnvironmentPage<P extends Permission> = Omit<
  ConsolePage<InEnvironment, PartnerAccess<P>>,
  "path" | "access" | "wrap"
> & {
  /** The last segment of its path. */
  section: string;
  permission: P;
};

/** A page about one environment of a partner. */
export function environmentPage<P extends Permission>(page: EnvironmentPage<P>) {
  return consolePage<InEnvironment, PartnerAccess<P>>({
    ...page,
    path: ({ partner, environment }) => `/partners/${partner}/${environment}/${page.section}`,
    async access({ partner, environment }) {
      const access = await requirePartner(partner, page.permission);
      requireEnvironment(environment);
      return access;
    },
    wrap: ({ params: { environment }, access: { partner } }, content) => (
      <HereProvider partner={{ id: partner.id, name: partner.name }} environment={environment}>
        {content}
      </HereProvider>
    ),
  });
}

/** Passes what the server has read to the browser's queries. */
export function withQueries(read: readonly (readonly [QueryKey, unknown])[], children: ReactNode) {
  const client = new QueryClient();
  for (const [key, data] of read) client.setQueryData(key, data);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** Shown while a page loads, with the page's title. */
export function PageSkeleton({ title }: { title: string }) {
  const t = useTranslations("common");
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={title} intro={t("loading")} />
      <Skeleton className="h-64" />
      <Skeleton className="h-40" />
    </div>
  );
}

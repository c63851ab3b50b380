import "server-only";
import { env } from "@/lib/platform/env/env";
import { isAmong } from "@/lib/platform/database/among";
import { type Executor, db } from "@/lib/platform/database/open";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { sql } from "kysely";
import type {
  PartnerLine,
  PartnerMatch,
  PartnerPage,
  PartnerQuery,
} from "@/lib/partners/model/page";
import { withoutSecondPerson } from "@/lib/platform/access/approvers";
import type { OwnAccount } from "@/lib/platform/access/require";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { fieldRefused } from "@/lib/platform/http/model/problem";
import { isQuoted, findQuoted } from "./find-quoted";
import { findPage } from "./find-page";
import { isSlowed, type ReachedService } from "./having-status";
import { searchable, searchWords } from "./search-words";
import { domainToUnicode } from "node:url";

/** Of these partners, in this order, at their last reading in the environment. */
export async function readLines(
  db: Executor,
  service: ReachedService,
  ids: readonly string[],
): Promise<PartnerLine[]> {
  const rows = await partnersWithOverview(db, service)
    .select([
      "partners.id",
      "partners.name",
      "partners.suspended_at",
      "connections.id as connection_id",
      "overview.without_authorization",
      "overview.fault_request_id",
    ])
    .select([
      lookedAt.as("looked_at"),
      pixInHost.as("pix_in_host"),
      pixOutHost.as("pix_out_host"),
      faultCode.as("fault_code"),
      failingSince.as("failing_since"),
    ])
    .where(isAmong("partners.id", ids))
    .execute();
  const lines = rows.map((row): PartnerLine => ({
    id: row.id,
    name: row.name,
    suspended: row.suspended_at !== null,
    connected: row.connection_id !== null,
    checkedAt: isoOrNull(row.looked_at),
    hosts: { pix_in: row.pix_in_host, pix_out: row.pix_out_host },
    withoutAuthorization: typesIn(row.without_authorization ?? ""),
    failing:
      row.fault_code !== null && row.failing_since !== null
        ? {
            code: row.fault_code,
            since: new Date(row.failing_since).toISOString(),
            requestId: row.fault_request_id ?? "",
          }
        : null,
  }));
  const by = new Map(lines.map((line) => [line.id, line]));
  return ids.flatMap((id) => by.get(id) ?? []);
}

/** null where no list of this client at this service is known: what is stored may be of another one. */
const lookedAt = sql<number | null>`case when overview.confirmed = 1 then confirmed.looked_at end`;

/** The hosts; null where that type is not registered, empty where no reading of this client at this service says. */
const pixInHost = hostOf("pix_in_host");
const pixOutHost = hostOf("pix_out_host");

function hostOf(column: "pix_in_host" | "pix_out_host") {
  const host = sql.ref(`overview.${column}`);
  return sql<string | null>`case when overview.confirmed = 1 then ${host} else '' end`;
}

/** A connection that the service alone slows down has no reading that failed: only its schedule knows. */
const faultCode = sql<string | null>`coalesce(overview.fault_code,
  case when ${isSlowed} then schedule.fault_code end)`;
const failingSince = sql<number | null>`coalesce(overview.failing_since, schedule.failing_since)`;

/** Which host of another environment was found, for each of these partners whose line does not show all of the words. */
async function hostsElsewhere(
  db: Executor,
  lines: readonly PartnerLine[],
  words: readonly string[],
  environment: string,
): Promise<Map<string, PartnerMatch>> {
  const missing = new Map(
    lines.flatMap(({ id, name, hosts }) => {
      const left = notAmong(words, [id, name, hosts.pix_in, hosts.pix_out]);
      return left.length > 0 ? [[id, left] as const] : [];
    }),
  );
  if (missing.size === 0) return new Map();
  const seen = await db
    .selectFrom("partner_overviews as seen")
    .select(["seen.partner_id", "seen.environment", "seen.pix_in_host", "seen.pix_out_host"])
    .where("seen.partner_id", "in", [...missing.keys()])
    .where("seen.environment", "!=", environment)
    .where("seen.base_url", "in", [...env().environments.values()])
    .orderBy("seen.environment")
    .execute();
  return new Map(
    seen.flatMap((row) => {
      const left = missing.get(row.partner_id) ?? [];
      const value = [row.pix_in_host, row.pix_out_host].find(
        (host) => host && notAmong(left, [host]).length < left.length,
      );
      const { partner_id: id, environment } = row;
      return value ? [[id, { by: "host", environment, value }] as const] : [];
    }),
  );
}

/** The words that begin no word of these texts. */
function notAmong(words: readonly string[], texts: readonly (string | null)[]): string[] {
  const there = texts.filter((text) => text !== null);
  const stored = searchable(...there, ...there.map(domainToUnicode));
  return words.filter((word) => !stored.includes(` ${word}`));
}

/**
 * All partners at their last reading in the environment. Excludes readings at another base address or as another
 * client, which may differ.
 */
function partnersWithOverview(db: Executor, { environment, baseUrl }: ReachedService) {
  return db
    .selectFrom("partners")
    .leftJoin("connections", (join) =>
      join
        .onRef("connections.partner_id", "=", "partners.id")
        .on("connections.environment", "=", environment),
    )
    .leftJoin("partner_overviews as overview", (join) =>
      join
        .onRef("overview.partner_id", "=", "partners.id")
        .on("overview.environment", "=", environment)
        .on("overview.base_url", "=", baseUrl),
    )
    .leftJoin("reading_schedule as schedule", (join) =>
      join
        .onRef("schedule.connection_id", "=", "connections.id")
        .on("schedule.base_url", "=", baseUrl)
        .onRef("schedule.client_id", "=", "connections.client_id"),
    )
    .leftJoin("confirmed_configurations as confirmed", "confirmed.connection_id", "connections.id");
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function typesIn(list: string) {
  return webhookTypes.filter((type) => list.split(",").includes(type));
}

const pageSize = 50;

/** The partners that this person may see, by id: staff see all, others their own. */
export async function listPartners(
  { viewer }: Pick<OwnAccount, "viewer">,
  query: PartnerQuery,
): Promise<PartnerPage> {
  const request = { ...query, ...listedEnvironment(query.environment) };
  const visible = visibleTo(viewer);
  if (visible || query.search === "") return readPage(db(), request, visible, visible);
  // The words of an email or a path must not match as prefixes.
  if (!isQuoted(query.search)) {
    const page = await readPage(db(), request, null);
    if (page.partners.length > 0) return page;
  }
  const quoted = await findQuoted(db(), query.search, request.environment);
  const page = await readPage(db(), { ...request, search: "" }, [...quoted.keys()]);
  const partners = page.partners.map((line) => {
    const by = quoted.get(line.id);
    return by ? { ...line, match: { by, value: query.search } } : line;
  });
  return { ...page, partners };
}

/** null: all. */
function visibleTo({ staffRole, memberships }: OwnAccount["viewer"]): string[] | null {
  return staffRole ? null : memberships.map(({ partnerId }) => partnerId);
}

/** The environment that a list of partners is about; production, where there is one and none is named. */
export function listedEnvironment(wanted: string | undefined): {
  environment: string;
  baseUrl: string;
} {
  const environment = wanted ?? mainEnvironment();
  const baseUrl = env().environments.get(environment);
  if (baseUrl === undefined) throw fieldRefused("environment", "not_offered");
  return { environment, baseUrl };
}

/** One page of the partners `among` (null: all), for a reader who may know of the `known` ones. Checks no access. */
async function readPage(
  executor: Executor,
  query: PartnerQuery & { environment: string; baseUrl: string },
  among: readonly string[] | null,
  known: readonly string[] | null = null,
): Promise<PartnerPage> {
  const { search, status, environment, baseUrl, cursor, sort } = query;
  const words = searchWords(search);
  // Punctuation alone has no words.
  if (search !== "" && words.length === 0) return { environment, partners: [], nextCursor: null };
  const narrowing = {
    words,
    sort,
    after: cursor ?? null,
    known,
    ...(status === "no_second_person"
      ? { status: undefined, among: await withoutSecondPerson(executor, among) }
      : { status, among }),
  };
  const service = { environment, baseUrl };
  const found = await findPage(executor, service, narrowing, pageSize + 1);
  const partners = await readLines(executor, service, found.slice(0, pageSize));
  const elsewhere = await hostsElsewhere(executor, partners, words, environment);
  return {
    environment,
    partners: partners.map((line) => {
      const match = elsewhere.get(line.id);
      return match ? { ...line, match } : line;
    }),
    nextCursor: found.length > pageSize ? (partners.at(-1)?.id ?? null) : null,
  };
}

import "server-only";
import type { OwnAccount } from "@/lib/platform/access/require";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { PartnerPage, PartnerQuery } from "@/lib/partners/model/page";
import { isQuoted, findQuoted } from "./find-quoted";
import { readLines } from "./read-lines";
import { searchWords } from "./search-words";

const pageSize = 50;

/** The partners that this person may see, by id: staff see all, others their own. */
export async function listPartners(
  { viewer }: Pick<OwnAccount, "viewer">,
  query: PartnerQuery,
): Promise<PartnerPage> {
  const request = { ...query, ...listedEnvironment(query.environment) };
  if (!viewer.staffRole || query.search === "") return readPage(db(), request, own(viewer));
  // The letters of an email or a path could begin words, but should not match any.
  if (!isQuoted(query.search)) {
    const page = await readPage(db(), request, null);
    if (page.partners.length > 0) return page;
  }
  const among = await findQuoted(db(), query.search, request.environment);
  return readPage(db(), { ...request, search: "" }, among);
}

/** null: all. */
function own({ staffRole, memberships }: OwnAccount["viewer"]): string[] | null {
  return staffRole ? null : memberships.map(({ partnerId }) => partnerId);
}

/** The environment that a list of partners is about; production, where there is one and none is named. */
export function listedEnvironment(wanted: string | undefined): {
  environment: string;
  baseUrl: string;
} {
  const environment = wanted ?? mainEnvironment();
  const baseUrl = env().environments.get(environment);
  if (baseUrl === undefined)
    throw new ProblemError("invalid_fields", {
      errors: [{ path: "environment", code: "not_offered", message: fieldErrorTitles.not_offered }],
    });
  return { environment, baseUrl };
}

/** One page, for a person who may see the partners `among` (null: all). Takes all of it on trust. */
async function readPage(
  executor: Executor,
  query: PartnerQuery & { environment: string; baseUrl: string },
  among: readonly string[] | null,
): Promise<PartnerPage> {
  const { search, status, environment, baseUrl, cursor, sort } = query;
  const words = searchWords(search);
  // Punctuation alone begins no word.
  if (search !== "" && words.length === 0) return { environment, partners: [], nextCursor: null };
  const narrowing = { words, status, among, sort, after: cursor ?? null };
  const found = await readLines(executor, { environment, baseUrl }, narrowing, pageSize + 1);
  const partners = found.slice(0, pageSize);
  return {
    environment,
    partners,
    nextCursor: found.length > pageSize ? (partners.at(-1)?.id ?? null) : null,
  };
}

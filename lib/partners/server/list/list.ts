import "server-only";
import type { OwnAccount } from "@/lib/platform/access/require";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { findPage } from "./find-page";
import { flagOf } from "./flags";
import type { PartnerPage, PartnerQuery } from "@/lib/partners/model/page";
import { readLines } from "./read-lines";
import { searchWords } from "./search-words";

const pageSize = 50;

/** The partners that this person may see, by id: staff see all, others their own. */
export async function listPartners(
  { viewer }: OwnAccount,
  query: PartnerQuery,
): Promise<PartnerPage> {
  return readPage(db(), { ...query, ...listedEnvironment(query.environment) }, own(viewer));
}

/** null: all. */
function own({ staffRole, memberships }: OwnAccount["viewer"]): string[] | null {
  return staffRole ? null : memberships.map(({ partnerId }) => partnerId);
}

function listedEnvironment(wanted: string | undefined): { environment: string; baseUrl: string } {
  const environment = wanted ?? mainEnvironment();
  const baseUrl = env().environments.get(environment);
  if (baseUrl === undefined)
    throw new ProblemError("invalid_fields", {
      errors: [{ path: "environment", code: "not_offered", message: fieldErrorTitles.not_offered }],
    });
  return { environment, baseUrl };
}

/** One page, for whoever may see the partners `among` (null: all). Takes all of it on trust; exported for the benchmark. */
export async function readPage(
  executor: Executor,
  query: PartnerQuery & { environment: string; baseUrl: string },
  among: readonly string[] | null,
): Promise<PartnerPage> {
  const { search, status, environment, cursor } = query;
  const words = searchWords(search);
  // Signs alone are no word that anything could begin with.
  if (search !== "" && words.length === 0) return { environment, partners: [], nextCursor: null };
  const flag = status === undefined ? null : flagOf(status, environment);
  const found = await findPage(
    executor,
    { words, flag, among, after: cursor ?? null },
    pageSize + 1,
  );
  const ids = found.slice(0, pageSize);
  return {
    environment,
    partners: await readLines(executor, ids, query),
    nextCursor: found.length > pageSize ? (ids.at(-1) ?? null) : null,
  };
}

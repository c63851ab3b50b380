import "server-only";
import * as z from "zod/mini";
import { historyDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import type { Reader } from "@/lib/platform/i18n/reader";
import { webhookChangeSchema, type WebhookChange } from "@/lib/history/model/webhook-change";

/** One line for each type of an entry: who changed the address, when, from where, and whether it took effect. */
const columns = [
  "entry",
  "time",
  "environment",
  "event",
  "type",
  "outcome",
  "who",
  "proposed_by",
  "from_address",
  "url_before",
  "url_after",
  "authorization_before",
  "authorization_after",
  "reason",
  "request_id",
  "details",
  "who_id",
  "id",
  "proposed_by_id",
  "time_zone",
] as const;

type Line = Partial<Record<(typeof columns)[number], string | null>>;

/**
 * What spreadsheet programs take for the beginning of a formula: a sign, also a full-width one, first in a cell or
 * after nothing but control characters and invisible ones, which some drop, and quotes; and a tab or a carriage return
 * (OWASP, "CSV Injection"). A lookbehind: matching ahead from each start would take quadratic time on a long run of
 * tabs.
 */
const formula =
  /(?=[=+\-@＝＋－＠])(?<=(?:^|[,;\t\r\n])["\p{Cc}\p{Cf}]*)|(?<=^|[,;\t\r\n])(?=[\t\r])/gu;

/**
 * One cell (RFC 4180). Text that a spreadsheet program would run gets an apostrophe before it, also after a comma or a
 * semicolon: other people choose names and addresses, and a program may begin a cell at the one that does not separate
 * the cells of this file.
 */
export function csvCell(text: string): string {
  const harmless = text.replace(formula, "'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What a spreadsheet program expects that speaks the reader's language. */
export type CsvStyle = {
  separator: "," | ";";
  /** `at`: ISO 8601. */
  time: (at: string) => string;
  timeZone: string;
};

/** Where a comma ends the whole part of a number, spreadsheet programs begin a cell at a semicolon. */
export function csvStyle({ locale, timeZone }: Reader): CsvStyle {
  if (locale === "en") return { separator: ",", time: (at) => at, timeZone: "UTC" };
  const [two, year] = ["2-digit", "numeric"] as const;
  const date = new Intl.DateTimeFormat(locale, { timeZone, day: two, month: two, year });
  const clock = { hour: two, minute: two, second: two, hourCycle: "h23" } as const;
  const time = new Intl.DateTimeFormat(locale, { timeZone, ...clock });
  return {
    separator: ";",
    time: (at) => `${date.format(new Date(at))} ${time.format(new Date(at))}`,
    timeZone,
  };
}

export function csvLine(cells: readonly string[], separator: CsvStyle["separator"]): string {
  return `${cells.map(csvCell).join(separator)}\r\n`;
}

/** With a byte order mark, by which spreadsheet programs recognise UTF-8: names have accents. */
export const csvStart = ({ separator }: CsvStyle) => `\ufeff${csvLine(columns, separator)}`;

export function csvLines(item: HistoryItem, style: CsvStyle): string {
  const author = authorOf(item.detail);
  const common: Line = {
    entry: String(item.seq),
    time: style.time(item.at),
    environment: item.environment,
    event: item.kind,
    who: item.actor?.name ?? null,
    proposed_by: author?.name ?? null,
    from_address: item.clientAddress,
    request_id: item.requestId,
    who_id: item.actor?.id ?? null,
    id: item.id,
    proposed_by_id: author?.id ?? null,
    time_zone: style.timeZone,
  };
  return ownLines(item)
    .map((own) => {
      const line = { ...common, ...own };
      return csvLine(
        columns.map((column) => line[column] ?? ""),
        style.separator,
      );
    })
    .join("");
}

const author = z.object({ id: z.string(), name: z.string() });
const withAuthor = z.object({ proposal: z.object({ author }) });
const withAsker = z.object({ askerId: z.string(), asker: z.string() });

/** Who asked for what another person decided on. */
function authorOf(detail: unknown): z.infer<typeof author> | null {
  const proposed = withAuthor.safeParse(detail).data;
  if (proposed) return proposed.proposal.author;
  const asked = withAsker.safeParse(detail).data;
  return asked ? { id: asked.askerId, name: asked.asker } : null;
}

const withChanges = z.object({
  changes: z.array(webhookChangeSchema).check(z.minLength(1)),
  /** The reason that a person gave, or the problem code. */
  reason: z.optional(z.nullable(z.string())),
  problem: z.optional(z.nullable(z.string())),
  // In outside changes: whether this entry, or the next one, sums up several.
  gathered: z.optional(z.object({ since: z.number(), count: z.number() })),
  isLast: z.optional(z.boolean()),
});

function ownLines({ kind, types, outcome, detail }: HistoryItem): Line[] {
  const changed = withChanges.safeParse(detail).data;
  if (changed) {
    const { gathered, isLast } = changed;
    const details = gathered || isLast ? JSON.stringify({ gathered, isLast }) : null;
    return changed.changes.map((change) => ({
      type: change.type,
      outcome: change.outcome,
      ...before(change.before),
      ...after(change.after),
      reason: changed.reason ?? changed.problem ?? null,
      details,
    }));
  }
  const attempt =
    kind === "save_attempt" ? historyDetail.save_attempt.safeParse(detail).data : null;
  if (attempt && attempt.desired.length > 0)
    return attempt.desired.map(({ type, state }) => ({
      type,
      outcome: "attempted",
      ...after(state),
    }));
  const details = detail === null ? null : JSON.stringify(detail);
  return [{ type: types.join(" "), outcome, details }];
}

type Version = WebhookChange["before"];

function before(version: Version): Line {
  return { url_before: version?.callbackUrl ?? null, authorization_before: authorization(version) };
}

function after(version: Version): Line {
  return { url_after: version?.callbackUrl ?? null, authorization_after: authorization(version) };
}

function authorization(version: Version): string | null {
  if (!version) return null;
  if (version.conflict) return "two different values";
  if (version.hidden) return "not shown by the service";
  return version.fingerprint === null ? "not set" : `set ${version.fingerprint}`;
}

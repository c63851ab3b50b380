import { canonicalRows, guarded, type GuardedRow } from "./guarded";
import type { Difference } from "./reconcile";

/** The differences, in lines for the operator: which row, what the history says, and what the row says. */
export function describeDifference(
  { table, owner, noted, found }: Difference,
  name: string | null,
): string[] {
  const row = `${table} ${name === null ? owner : `${owner} (${name})`}`;
  const [before, after] = [noted?.[0], found[0]];
  // Where one row became another, column by column; else the added and removed rows.
  if (before && after && noted?.length === 1 && found.length === 1)
    return Object.keys({ ...before, ...after })
      .filter((column) => before[column] !== after[column])
      .map((column) => `${row}: ${changed(table, column, before, after)}`);
  const gone = without(noted ?? [], found).map(
    (one) => `${row}: the history says ${said(table, one)}, and there is no such row`,
  );
  const added = without(found, noted ?? []).map(
    (one) => `${row}: there is a row ${said(table, one)} that the history knows nothing of`,
  );
  return [...gone, ...added];
}

function changed(
  table: Difference["table"],
  column: string,
  before: GuardedRow,
  after: GuardedRow,
): string {
  if (isDigest(table, column) && before[column] !== null && after[column] !== null)
    return `${column} is another value than the one that the history has the digest of`;
  return `${column}: the history says ${shown(table, column, before)}, the row says ${shown(table, column, after)}`;
}

function said(table: Difference["table"], row: GuardedRow): string {
  const columns = Object.keys(row).map((column) => `${column} ${shown(table, column, row)}`);
  return `with ${columns.join(", ")}`;
}

/** A digest tells a reader only whether there is a value. */
function shown(table: Difference["table"], column: string, row: GuardedRow): string {
  const value = row[column] ?? null;
  if (value === null) return "nothing";
  if (isDigest(table, column)) return "set";
  return typeof value === "boolean" ? (value ? "set" : "not set") : JSON.stringify(value);
}

function isDigest(table: Difference["table"], column: string): boolean {
  const columns: Record<string, string> = guarded[table].columns;
  return columns[column] === "digest";
}

function without(rows: readonly GuardedRow[], others: readonly GuardedRow[]): GuardedRow[] {
  const known = new Set(others.map((row) => canonicalRows([row])));
  return rows.filter((row) => !known.has(canonicalRows([row])));
}

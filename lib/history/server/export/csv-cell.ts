/**
 * What spreadsheet programs take for the beginning of a formula: a sign, also a full-width one, first in a cell or after
 * nothing but control characters and invisible ones, which some drop; and a tab or a carriage return (OWASP, "CSV
 * Injection"). Looks back from a sign, not ahead from each beginning: else a long run of tabs would take the square of
 * its length.
 */
const formula =
  /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\p{Cc}\p{Cf}]*)|(?<=^|[;\t\r\n])(?=[\t\r])/gu;

/**
 * One cell (RFC 4180). Text that a spreadsheet program would run gets an apostrophe before it, also after a semicolon,
 * where programs of many countries begin a new cell: names and addresses are other people's words.
 */
export function csvCell(text: string): string {
  const harmless = text.replace(formula, "'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

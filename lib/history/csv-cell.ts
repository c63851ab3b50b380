/** What spreadsheet programs take for the beginning of a formula. */
const formula = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r])/g;

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

import { readFileSync } from "node:fs";

/** One line of the table: what was measured of the floor and of Gancho, round by round, in the same order. */
export type Figure = {
  name: string;
  unit: string;
  floor: number[];
  gancho: number[];
  /** The target for Gancho's figure divided by the floor's. */
  aim: string;
};

export function printFigures(figures: readonly Figure[]): void {
  const lines = [["", "floor", "Gancho", "Gancho ÷ floor", "aim"]];
  for (const { name, unit, floor, gancho, aim } of figures) {
    const ratios = gancho.map((value, round) => value / (floor[round] ?? NaN)).sort(ascending);
    const spread = `${two(median(ratios))} (${two(ratios[0])} to ${two(ratios.at(-1))})`;
    const shown = (values: readonly number[]) => `${rounded(median(values))} ${unit}`;
    lines.push([name, shown(floor), shown(gancho), spread, aim]);
  }
  printTable(lines);
}

/** `lines`: the head and what is below it. */
export function printTable(lines: readonly string[][]): void {
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines)
    console.log(line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join("  "));
  console.log("");
}

const median = (values: readonly number[]) => share(values, 0.5);

/** The percentile, as a fraction: the value that this part of them does not exceed. */
export function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort(ascending);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? NaN;
}

const ascending = (a: number, b: number) => a - b;
const two = (value: number | undefined) => (value ?? NaN).toFixed(2);
const rounded = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** User and system CPU time of a process, all threads included. */
export function cpuSeconds(pid: number): number {
  // The name of the program, in parentheses, may have spaces in it.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

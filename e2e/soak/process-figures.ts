import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What a process uses now, according to Linux. */
export function processFigures(pid: number): { residentMb: number; sockets: number } {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const folder = `/proc/${pid}/fd`;
  const sockets = readdirSync(folder).filter((fd) => isSocket(`${folder}/${fd}`)).length;
  return { residentMb: Number(kilobytes ?? 0) / 1_024, sockets };
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith("socket:");
  } catch {
    // Closed since the folder was listed.
    return false;
  }
}

/** By how much y grows for each x, by least squares. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  const under = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

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

import { errorCode } from "@/lib/platform/runtime/network-error";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";

const limits = "/proc/self/limits";
let limit: number | undefined;

/** How many files and connections this process may have open; where the system does not say, any number. */
function descriptorLimit(): number {
  const text = existsSync(limits) ? readFileSync(limits, "utf8") : "";
  const [, soft] = /^Max open files +(\d+)/m.exec(text) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}

/** How many more it can open, at most: the system gives the lowest number that is free. */
export function descriptorsLeft(): number {
  limit ??= descriptorLimit();
  try {
    const lowest = openSync("/dev/null", "r");
    closeSync(lowest);
    return limit - lowest;
  } catch (error) {
    if (["EMFILE", "ENFILE"].includes(errorCode(error) ?? "")) return 0;
    throw error;
  }
}

import { errorCode } from "@/lib/platform/runtime/network-error";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import type { Source } from "./mode";

/**
 * The variables with secret values: each may be given as the path of a file, in a variable named with `_FILE` at its
 * end.
 */
export const secretVariables = [
  "DATABASE_URL",
  "AUTH_SECRET",
  "ENCRYPTION_KEYS",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
  "ALERTS_URL",
  "ALERTS_SECRET",
  "OUTBOUND_PROXY",
  "EGRESS_PROXY",
] as const;

/** Larger than any secret: bounds the reading of a wrong path. */
const maxBytes = 64 * 1024;

type WithFiles = {
  /** The variables, with the contents of files in place of their paths. */
  set: Record<string, string | undefined>;
  /** Lines as `parseEnv` expects them. They name variables and paths, never the content of a file. */
  problems: string[];
  /** The variables that those lines are about: their further problems follow from that. */
  unread: ReadonlySet<string>;
};

/** Reads secrets from files, as Docker, Kubernetes and systemd provide them, into the variables. */
export function withSecretFiles(source: Source): WithFiles {
  const set = { ...source };
  const problems: string[] = [];
  const unread = new Set<string>();
  for (const name of secretVariables) {
    const path = source[`${name}_FILE`]?.trim();
    if (!path) continue;
    const refuse = (line: string) => {
      unread.add(name);
      problems.push(line);
    };
    if (source[name] !== undefined) {
      refuse(`${name} and ${name}_FILE are both set: leave one of them out`);
      continue;
    }
    const found = contentOf(path);
    if ("fault" in found) refuse(`${name}_FILE names ${path}, which ${found.fault}`);
    else set[name] = found.content;
  }
  return { set, problems, unread };
}

function contentOf(path: string): { content: string } | { fault: string } {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const stat = fstatSync(file);
    if (stat.isDirectory()) return { fault: "is a folder: set the path of a file" };
    if (stat.size > maxBytes) return { fault: "is larger than 64 KiB: set the path of a secret" };
    // Editors and `echo` end a file with a line break.
    const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return content.trim() === "" ? { fault: "is empty: write the value into it" } : { content };
  } catch (error) {
    const code = errorCode(error) ?? "";
    return { fault: faults[code] ?? `cannot be read (${code || "unknown error"})` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const faults: Partial<Record<string, string>> = {
  ENOENT: "is not there: set the path of a file",
  ENOTDIR: "is not there: set the path of a file",
  EACCES: "this user may not read: check its owner and permissions",
  EPERM: "this user may not read: check its owner and permissions",
};

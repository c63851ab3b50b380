import { readFileSync } from "node:fs";
import { parseClientList, type ClientList } from "./client-list";
import { parseStrictJson } from "./strict-json";

/** Reads the file of SANDBOX_CLIENTS. The problems complete a sentence that begins with the file's name. */
export function readClientsFile(path: string): ClientList {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    return { ok: false, problems: [`cannot be read (${String(code)})`] };
  }
  const json = parseStrictJson(text);
  return json === null
    ? { ok: false, problems: ["is not JSON, or has a key twice"] }
    : parseClientList(json.value);
}

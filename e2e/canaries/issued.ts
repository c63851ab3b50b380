import type { Answer } from "@/e2e/answers/recorded";
import { needleOf } from "./learned";
import type { Needle } from "./search";

/** What lets somebody in is answered once, to whom it is for, when it is made; from then on it is a secret. */
export function issuedIn({ method, headers, body }: Answer): Needle[] {
  const sessions = [headers["set-cookie"] ?? []]
    .flat()
    .flatMap((cookie) => textsIn(/gancho\.session=([^;]{20,})/g, String(cookie)));
  const found = sessions.map((text) => needleOf("session", text));
  if (method === "GET") return found;
  const text = body.toString();
  for (const [kind, pattern] of Object.entries(answered))
    found.push(...textsIn(pattern, text).map((secret) => needleOf(kind, secret)));
  return found;
}

const answered = {
  "one-time link": /"link":"[^"#]*#([A-Za-z0-9_-]{20,})"/g,
  "secret of one-time codes": /otpauth:[^"]*[?&]secret=([A-Z2-7]{16,})/g,
  "recovery code": /"([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})"/g,
};

function textsIn(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);
}

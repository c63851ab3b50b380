import { recordedAnswers, type Answer } from "@/e2e/answers/recorded";
import { searcherFor, type Finding, type Needle } from "./search";
import { needleOf } from "./learned";

type AnswerFinding = Finding & { answer: string };

/** Secrets that the answers of a run gave out on purpose, each to its recipient. */
export async function issuedNeedles(folder: string): Promise<Needle[]> {
  const needles: Needle[] = [];
  for await (const answer of recordedAnswers(folder)) needles.push(...issuedIn(answer));
  return needles;
}

/** Searches every recorded answer; an answer may contain what it gave out itself. */
export async function searchAnswers(
  folder: string,
  needles: readonly Needle[],
): Promise<{ findings: AnswerFinding[]; answers: number }> {
  const search = searcherFor(needles);
  const findings: AnswerFinding[] = [];
  let answers = 0;
  for await (const answer of recordedAnswers(folder)) {
    answers += 1;
    const reported = shown(answer);
    const found = search(reported);
    if (found.length === 0) continue;
    const own = issuedIn(answer).map(({ text }) => text);
    const others =
      own.length > 0 ? searcherFor(needles.filter(({ text }) => !own.includes(text))) : search;
    for (const finding of others(reported))
      findings.push({ ...finding, answer: `${answer.method} ${pathOf(answer)}` });
  }
  return { findings, answers };
}

/**
 * The answer without its cookies, and without the one body that reveals a secret to a person who confirmed the
 * password.
 */
function shown(answer: Answer): Buffer {
  const { address, headers, body } = answer;
  const reported = Buffer.from(JSON.stringify([address, { ...headers, "set-cookie": null }]));
  return pathOf(answer).endsWith("/reveal") ? reported : Buffer.concat([reported, body]);
}

const pathOf = ({ address }: Answer) => address.replace(/\?.*/s, "");

/** A credential is answered once, to its owner, when it is made; from then on it is a secret. */
function issuedIn({ method, headers, body }: Answer): Needle[] {
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

const textsIn = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);

import { recordedAnswers, type Answer } from "@/e2e/answers/recorded";
import { issuedIn } from "./issued";
import { searcherFor, type Finding, type Needle } from "./search";

export type AnswerFinding = Finding & { answer: string };

/** What the recorded answers of a run gave out on purpose, each once, to whom it was for. */
export async function issuedNeedles(folder: string): Promise<Needle[]> {
  const needles: Needle[] = [];
  for await (const answer of recordedAnswers(folder)) needles.push(...issuedIn(answer));
  return needles;
}

/** Looks through every recorded answer; what it gave out itself may stand in it. */
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

/** All of it but the cookies, and the one body that is there to show a secret, to whoever gave the password for it. */
function shown(answer: Answer): Buffer {
  const { address, headers, body } = answer;
  const reported = Buffer.from(JSON.stringify([address, { ...headers, "set-cookie": null }]));
  return pathOf(answer).endsWith("/reveal") ? reported : Buffer.concat([reported, body]);
}

function pathOf({ address }: Answer): string {
  return address.replace(/\?.*/s, "");
}

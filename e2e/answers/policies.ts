import { recordedAnswers, type Answer } from "./recorded";

/**
 * Gives how many pages the run was answered with. Throws when one had no policy with a nonce, or two had the same: an
 * attacker who sees one of them could then write to the other.
 */
export async function checkPolicies(folder: string): Promise<number> {
  const nonces: string[] = [];
  for await (const answer of recordedAnswers(folder))
    if (isPage(answer)) nonces.push(nonceOf(answer));
  const repeats = nonces.length - new Set(nonces).size;
  if (repeats > 0) throw new Error(`${repeats} of ${nonces.length} pages repeated a nonce`);
  return nonces.length;
}

function isPage({ headers, body }: Answer): boolean {
  return body.length > 0 && String(headers["content-type"]).startsWith("text/html");
}

function nonceOf({ method, address, headers }: Answer): string {
  const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
  if (nonce === undefined) throw new Error(`${method} ${address} has no policy with a nonce`);
  return nonce;
}

import type { ChangedPart } from "./compare";

/** A stretch of an address that is drawn in one way. */
type AddressPart = {
  text: string;
  /** Where messages go: host and port. */
  isHost: boolean;
  /** It differs from the address that it is compared with. */
  isChanged: boolean;
  /** A long address may go on here in the next line. */
  mayBreak: boolean;
};

/** Slashes and backslashes are the same to whoever connects. */
const beginning = /^(?:https?:[\\/]*|[a-z][a-z0-9+.-]*:\/\/)?/i;
const authority = /^[^\\/?#]*/;

/** An address cut where its look changes and where it may break. The texts, joined, are the address. */
export function addressParts(url: string, part?: ChangedPart): AddressPart[] {
  const host = hostIn(url);
  const changedFrom = part?.start.length ?? 0;
  const changed = { from: changedFrom, to: changedFrom + (part?.changed.length ?? 0) };
  const breaks = breaksIn(url, host);
  const cuts = [0, host.from, host.to, changed.from, changed.to, ...breaks, url.length];
  const inOrder = [...new Set(cuts)].sort((one, other) => one - other);
  return inOrder.slice(0, -1).map((from, at) => ({
    text: url.slice(from, inOrder[at + 1]),
    isHost: from >= host.from && from < host.to,
    isChanged: from >= changed.from && from < changed.to,
    mayBreak: breaks.has(from),
  }));
}

type Range = { from: number; to: number };

/** What stands before an "@" is a name to sign in with, however much it looks like a host. */
function hostIn(url: string): Range {
  const start = beginning.exec(url)?.[0].length ?? 0;
  const whole = authority.exec(url.slice(start))?.[0] ?? "";
  return { from: start + whole.lastIndexOf("@") + 1, to: start + whole.length };
}

/** Between the names of the host, and before what a path or query goes on with. */
function breaksIn(url: string, host: Range): Set<number> {
  const found = [...url.matchAll(/[./?&]/g)].flatMap(({ 0: sign, index }) => {
    if (index < host.from) return [];
    if (index < host.to) return sign === "." ? [index + 1] : [];
    return sign === "." ? [] : [index];
  });
  return new Set(found);
}

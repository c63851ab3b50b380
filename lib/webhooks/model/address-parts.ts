import type { ChangedPart } from "./compare";

/** A piece of an address with one style. */
type AddressPart = {
  text: string;
  /** The target of messages: host and port. */
  isHost: boolean;
  /** It differs from the other address of the comparison. */
  isChanged: boolean;
  /** A long address may wrap here. */
  mayBreak: boolean;
};

/** Slashes and backslashes are the same to HTTP clients. */
const beginning = /^(?:https?:[\\/]*|[a-z][a-z0-9+.-]*:\/\/)?/i;
const authority = /^[^\\/?#]*/;

/** An address cut where its style changes and where it may break. The texts, joined, are the address. */
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

/** The part before an "@" is a user name, however much it looks like a host. */
function hostIn(url: string): Range {
  const start = beginning.exec(url)?.[0].length ?? 0;
  const whole = authority.exec(url.slice(start))?.[0] ?? "";
  return { from: start + whole.lastIndexOf("@") + 1, to: start + whole.length };
}

/** Between the labels of the host, and before the next part of a path or query. */
function breaksIn(url: string, host: Range): Set<number> {
  const found = [...url.matchAll(/[./?&]/g)].flatMap(({ 0: sign, index }) => {
    if (index < host.from) return [];
    if (index < host.to) return sign === "." ? [index + 1] : [];
    return sign === "." ? [] : [index];
  });
  return new Set(found);
}

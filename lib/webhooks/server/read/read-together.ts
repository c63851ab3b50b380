import "server-only";
import { processWide } from "@/lib/platform/runtime/process-wide";

/**
 * Reads of one thing: those that have begun, the callers that wait for one of them to end, and the one that can be
 * joined.
 */
type Line = { begun: number; waiting: (() => void)[]; next: Promise<unknown> | null };

/** A reader of a service that hangs does not wait for the reader before them; many of them do not make many calls. */
const maxBegun = 2;

/** Lines leave when they are empty, so there are never more than connections being read now. */
const lines = () => processWide("reads", () => new Map<string, Line>());

/**
 * One fetch for all who want the same thing at the same time, so that a hundred readers of a slow service are a few
 * calls to it. An answer is as old as its request: no caller gets one to a request from before its own. `work` calls
 * `begin` just before it calls the service; callers after that wait for another one.
 */
export function readTogether<Result>(
  name: string,
  work: (begin: () => void) => Promise<Result>,
): Promise<Result> {
  const line = lines().get(name) ?? { begun: 0, waiting: [], next: null };
  lines().set(name, line);
  if (line.next) return line.next as Promise<Result>;
  const result = inTurn(line, () =>
    work(() => {
      if (line.next === result) line.next = null;
    }),
  ).finally(() => {
    if (line.next === result) line.next = null;
    if (line.begun === 0 && !line.next) lines().delete(name);
  });
  line.next = result;
  return result;
}

async function inTurn<Result>(line: Line, work: () => Promise<Result>): Promise<Result> {
  if (line.begun >= maxBegun) await new Promise<void>((resolve) => line.waiting.push(resolve));
  line.begun += 1;
  try {
    return await work();
  } finally {
    line.begun -= 1;
    line.waiting.shift()?.();
  }
}

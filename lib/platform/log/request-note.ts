import { processWide } from "@/lib/platform/runtime/process-wide";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

type NotedCall = { call: string; status: number | null; ms: number };

/** What is known of the current request: every log line during it includes this. */
export type RequestNote = {
  requestId: string;
  clientAddress: string | null;
  /** The signed-in person, once the session was read. */
  userId: string | null;
  /** The line about its answer was written. */
  isLogged: boolean;
  /** What it asked the payment service, for its line. */
  calls: NotedCall[];
  /** A statement of it failed because the database was not available. */
  lackedDatabase: boolean;
  /** Its page says in words that nothing is there. */
  isNotFound: boolean;
  /** Its work has ended: what goes on in its context, such as a connection of a pool, is not about it. */
  isOver: boolean;
};

const notes = () => processWide("request-notes", () => new AsyncLocalStorage<RequestNote>());

export function withRequestNote<Result>(note: RequestNote, work: () => Result): Result {
  return notes().run(note, work);
}

/** null where no request is being answered. */
export function requestNote(): RequestNote | null {
  const note = notes().getStore();
  return note && !note.isOver ? note : null;
}

/** Leaves a call to the request's own line; false where none will follow. */
export function noteCall(call: NotedCall): boolean {
  const note = requestNote();
  if (!note || note.isLogged) return false;
  note.calls.push(call);
  return true;
}

/**
 * The path of our own addresses, as long as any of them: callers write it. Without the token of a receiving address, with
 * which anybody can send to it.
 */
export function loggedPath(path: string): string {
  return path.replace(/^(\/+in\/+).+/, "$1…").slice(0, 120);
}

/** Names one request from the answer to the log line to the history row; people quote it. 16 hexadecimal characters. */
export function newRequestId(): string {
  return randomBytes(8).toString("hex");
}

/** That of the request that is being answered, or a new one. */
export function currentRequestId(): string {
  return requestNote()?.requestId ?? newRequestId();
}

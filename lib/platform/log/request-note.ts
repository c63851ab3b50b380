import { processWide } from "@/lib/platform/runtime/process-wide";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** What is known of the current request: every log line during it includes this. */
export type RequestNote = {
  requestId: string;
  clientAddress: string | null;
  /** The signed-in person, once the session was read. */
  userId: string | null;
  /** The line about its answer was written. */
  isLogged: boolean;
  /** A statement of it failed because the database was not available. */
  lackedDatabase: boolean;
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

/** Names one request from the answer to the log line to the history row; people quote it. 16 hexadecimal characters. */
export function newRequestId(): string {
  return randomBytes(8).toString("hex");
}

/** That of the request that is being answered, or a new one. */
export function currentRequestId(): string {
  return requestNote()?.requestId ?? newRequestId();
}

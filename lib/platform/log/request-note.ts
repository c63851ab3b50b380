import { processWide } from "@/lib/platform/runtime/process-wide";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** What is known of the request that is being answered: every line of the log that is written meanwhile says so. */
export type RequestNote = {
  requestId: string;
  clientAddress: string | null;
  /** Who is signed in, once somebody has read the session. */
  userId: string | null;
  /** Somebody has written the line that says how it was answered. */
  isLogged: boolean;
  /** Nobody works for it any more: what goes on in its name, such as a connection of a pool, is not about it. */
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

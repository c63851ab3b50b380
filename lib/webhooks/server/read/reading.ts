import "server-only";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { countReading } from "@/lib/platform/metrics/metrics";
import { processWide } from "@/lib/platform/runtime/process-wide";
import type { LastKnownContent } from "./last-known";
import type { ConnectionRef } from "./remote-state";

/** One call of the service for what a connection has registered, and its outcome. */
export type Reading = {
  connectionRef: ConnectionRef;
  /** When it began, by the time of day. */
  at: number;
  by: "watch" | "other";
  /** Milliseconds of the list call that ended it; null where none was sent. */
  listMs: number | null;
  fault: Fault | null;
  /** The confirmed facts; null where it failed, or while a save is in flight, whose state only its holder knows. */
  facts: LastKnownContent | null;
};

type Listener = (reading: Reading) => void;

const listeners = () => processWide("reading-listeners", () => new Set<Listener>());

/** Subscribes to readings, people's included: reading itself does not know its subscribers. */
export function onReading(listener: Listener): () => void {
  listeners().add(listener);
  return () => listeners().delete(listener);
}

export function publishReading(reading: Reading): void {
  const { connectionRef, by, fault } = reading;
  countReading({
    environment: connectionRef.environment,
    by: by === "watch" ? "watch" : "person",
    result: fault?.code ?? "ok",
  });
  for (const listener of listeners()) listener(reading);
}

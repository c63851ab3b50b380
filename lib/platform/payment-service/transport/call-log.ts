import type { FaultCode } from "@/lib/platform/payment-service/model/fault";

/** One request to the payment service, as logged. Chosen field by field: no header, no body, no secret. */
export type CallLine = {
  requestId: string;
  connectionId: string;
  call: "token" | "list" | "register";
  /** Counts the requests of one kind within one operation, from 1. */
  attempt: number;
  /** The HTTP status; null where none came. */
  status: number | null;
  durationMs: number;
  /** null when the call succeeded; "cancelled" when its caller gave up. */
  fault: FaultCode | "cancelled" | null;
};

/** Hears of every request and every token, also of those that are not written down. */
export type CallObserver = {
  call(line: CallLine, about: { environment: string; background: boolean }): void;
  /** The origin of a requested token; "refused": the service has just refused these credentials. */
  token(from: "kept" | "shared" | "exchanged" | "refused"): void;
};

/** The part of a pino logger that is used here. */
export type CallLog = {
  info(line: CallLine, message: string): void;
  warn(line: CallLine, message: string): void;
};

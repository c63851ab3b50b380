import { callTimings } from "@/lib/platform/runtime/timings";

/** The limits of one call to the payment service. Tests pass smaller ones instead of waiting. */
export type CallLimits = {
  /** Name, TCP and TLS together, milliseconds. */
  connectMs: number;
  /** A whole operation: waiting for a turn, token exchange, retries and the last byte of the answer, milliseconds. */
  totalMs: number;
  /**
   * An exchange of a token with its retries, milliseconds. Less than `totalMs`, so that waiting calls get its result,
   * and a call with the token still has a chance.
   */
  exchangeMs: number;
  /** A write does not begin with less time left than this, milliseconds: it would only end as "unknown". */
  minWriteMs: number;
  /** Further tries of a read (list, token exchange) after a failure that may pass. */
  retries: number;
  /** The pause before the first retry, milliseconds, give or take half; doubles each time. */
  retryPauseMs: number;
  /** Bytes of a body, counted after decompression. */
  tokenBodyBytes: number;
  listBodyBytes: number;
  /** Of an error, or of an answer that is only confirmed by reading back. */
  otherBodyBytes: number;
  /** Requests in flight to one origin, all partners together; bounds our sockets. */
  concurrencyPerOrigin: number;
  /** So many of these places no reading can have: saves, and the tokens that they need. */
  reservedForSaves: number;
  /** Readings that wait for their turn, and others that do; more are refused at once. */
  waiting: number;
  /** How long "wrong id or secret" is remembered without another call, milliseconds. */
  rejectionMs: number;
  /** Connections whose last exchange is remembered; the least recently used one goes first. */
  rememberedConnections: number;
};

export const defaultLimits: CallLimits = {
  ...callTimings,
  retries: 2,
  tokenBodyBytes: 64 * 1024,
  listBodyBytes: 1024 * 1024,
  otherBodyBytes: 16 * 1024,
  concurrencyPerOrigin: 256,
  reservedForSaves: 64,
  waiting: 1_000,
  rejectionMs: 30_000,
  rememberedConnections: 200_000,
};

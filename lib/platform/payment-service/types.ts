import type { WebhookType } from "./contract/terms";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { EarlyConnection } from "@/lib/platform/payment-service/transport/connection";
import type { Fault, FaultCode } from "@/lib/platform/payment-service/model/fault";

/** The address and client with which to call the payment service. */
export type PartnerConnection = {
  /** Our id of the connection; the token cache's key together with `version`. */
  id: string;
  /** Grows with every change of the credentials, so that a token of older credentials is never used. */
  version: number;
  /** Origin and optional path prefix, without a trailing slash; https except for loopback. */
  baseUrl: string;
  clientId: string;
  clientSecret: Secret;
  /** The environment's name, for metrics. */
  environment?: string;
};

/** One item of the service's list, section 2.2, as liberally read as decisions allow. Nothing is inferred. */
export type ListedWebhook = {
  /** As sent; null when left out. May be a type that we do not know. */
  type: string | null;
  callbackUrl: string;
  /** From `auth_header` or `authorization`; null when neither is set. */
  authorization: Secret | null;
  /** Both names were sent with different values; `authorization` is null then. */
  authorizationConflict: boolean;
  /** The two of them, to compare with later ones. */
  bothValues?: Secret | undefined;
  /** null when missing or not a list of strings. */
  events: string[] | null;
};

export type ListResult =
  | {
      ok: true;
      webhooks: ListedWebhook[];
      /**
       * True for a 404 with JSON that is not the text of section 7.2: probably nothing registered; confirm before
       * writing.
       */
      unclear: boolean;
    }
  | { ok: false; fault: Fault };

export type RegisterInput = {
  /** null registers both types (the field is left out, section 4.3). */
  type: WebhookType | null;
  url: string;
  /** null leaves the field out. */
  authorization: Secret | null;
};

/** `ok` means only that the service answered 200 or 201: the read-back decides. */
type RegisterResult = { ok: true; status: 200 | 201 } | { ok: false; fault: Fault };

export type CallOptions = {
  /** Goes into our log lines, and to the service in `X-Request-Id`. */
  requestId: string;
  /**
   * Milliseconds for the whole operation, token exchange and retries included; at most, and by default, 10 000.
   * A save gives each of its calls a part, so that list, write and read-back together end within 10 s.
   */
  timeoutMs?: number;
  /**
   * A time on `performance.now()` after which a write must not begin. Checked just before its first byte leaves, with
   * no wait in between: a process that was paused must not overwrite what others did meanwhile.
   */
  notAfter?: number;
  /** Called just before the first byte of a write leaves: until then nothing of it can take effect. */
  onSend?: () => void;
  /** The connection on which a write is sent, if `prepare` opened one. */
  early?: EarlyConnection | null;
  /**
   * A background call: it skips the queue of people's calls, since its caller bounds how many there are, and is not
   * retried where the service demands a slower pace.
   */
  background?: true;
  /** Part of a save: it goes before readings, and is made although the service asked to be read less often. */
  ofSave?: true;
  /** Called after each request of the operation itself, not after a token exchange that it waits for. */
  onCall?: (line: CallLine) => void;
};

export type CheckResult = { ok: true } | { ok: false; fault: Fault };

export type PartnerApi = {
  /**
   * Whether an exchange with these credentials succeeds now, whatever is remembered of them: it shows everything that
   * section 7.1 refuses. Nothing of it is stored, so a candidate can be tried before it replaces what is in use.
   */
  check(connection: PartnerConnection, options: CallOptions): Promise<CheckResult>;
  list(connection: PartnerConnection, options: CallOptions): Promise<ListResult>;
  register(
    connection: PartnerConnection,
    input: RegisterInput,
    options: CallOptions,
  ): Promise<RegisterResult>;
  /**
   * Begins to open the connection of a write that may follow, so that it does not wait for the handshake; null: it opens
   * its own then. The caller closes it.
   */
  prepare(connection: PartnerConnection): EarlyConnection | null;
  /** Close the kept connection, and forget tokens and remembered rejections of a connection, all versions. */
  forget(connectionId: string): void;
};

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
  /** null when the call succeeded. */
  fault: FaultCode | null;
};

/** Called for every request and every token, also for those that are not logged. */
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

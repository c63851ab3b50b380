/** The three calls of the contract, section 4; `other` is everything else that arrives. */
export const kinds = ["token", "list", "register", "other"] as const;
export type Kind = (typeof kinds)[number];

/** An answer that replaces the sandbox's. */
export type PlannedAnswer = {
  /** Left out: 200. */
  status?: number;
  /**
   * Lower-case names. Content-Type (JSON), Content-Length (the true one) and Connection are added where they
   * are not given; an empty value leaves a header out.
   */
  headers?: Record<string, string>;
  body?: string;
  /** The body is base64, for bytes that are no text. */
  base64?: boolean;
  /** How often the body is sent; Content-Length counts all of it. */
  repeat?: number;
  /** Compresses the body, repeats included, and sets the header. */
  gzip?: boolean;
};

/** What happens to one request, in this order. All left out: the sandbox's answer, passed on. */
export type Action = {
  /**
   * Whether and when the sandbox gets the request: `first`, before the answer; `never`; or so many milliseconds after
   * the end of the answer. Left out: `first`, or `never` where the rule has an answer.
   */
  apply?: "first" | "never" | { lateMs: number };
  /** Before the first byte of the answer. */
  delayMs?: number;
  /** No answer before `release` is called. */
  held?: boolean;
  answer?: PlannedAnswer | undefined;
  /** The whole answer, status line and all, one character a byte; instead of `answer`. */
  raw?: string;
  /** Sends this many bytes at a time. */
  drip?: { bytes: number; everyMs: number };
  /** Sends only this many bytes of the answer, counted from its first (`H` of `HTTP/1.1`). */
  cutAfter?: number;
  /** How the connection ends: `close` (FIN), `reset` (RST), `hang` (stays open until the other side ends it). */
  ending?: "close" | "reset" | "hang";
};

export type Rule = {
  kind: Kind | "any";
  /** Only requests to `<url>/<prefix>/api/…`, which distinguishes several partners. Left out: all. */
  prefix?: string;
  /** The first request it applies to, counting those that match since the plan was set; left out: 1. */
  from?: number;
  /** How many requests it applies to; left out: all that follow. */
  times?: number;
  action: Action;
};

/** The first rule that applies to a request decides; if none does, the sandbox answers. */
export type Plan = {
  rules: Rule[];
  /** What to do with connections before a request is read. Left out: accept. */
  connections?: "accept" | "reset" | "hang";
};

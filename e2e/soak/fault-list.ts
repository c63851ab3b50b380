import type { Action, Plan } from "@/e2e/faulty-upstream/plan";
import {
  body,
  slowWireFaults,
  wireFaults,
} from "@/lib/platform/payment-service/testing/wire-faults";

export type NamedFault = {
  name: string;
  action: Action;
  /** Before a request is read at all. */
  connections?: NonNullable<Plan["connections"]>;
};

const raw = (head: string, text = ""): Action => ({ raw: `HTTP/1.1 ${head}\r\n\r\n${text}` });

/** More variants than the client's own tests have. */
const more: Record<string, Action> = {
  "JSON as text": body("{}", { headers: { "content-type": "text/plain" } }),
  "no content type": body("{}", { headers: { "content-type": "" } }),
  null: body("null"),
  "an empty object": body("{}"),
  "members of a wrong kind": body('{"access_token":7,"token_type":"mac","webhooks":"none"}'),
  "two JSON texts": body("{}{}"),
  "not the gzip it says": body("{}", { headers: { "content-encoding": "gzip" } }),
  "an unknown encoding": body("{}", { headers: { "content-encoding": "zstd" } }),
  "a length too great": body("{}", { headers: { "content-length": "50" } }),
  "a length too small": body('{"webhooks":[]}', { headers: { "content-length": "3" } }),
  "two lengths": raw("200 OK\r\ncontent-length: 2\r\ncontent-length: 3", "{}"),
  "a negative length": raw("200 OK\r\ncontent-length: -1", "{}"),
  "broken chunks": raw("200 OK\r\ntransfer-encoding: chunked", "zz\r\n{}"),
  "half a status line": { raw: "HTTP/1.1 20" },
  "a line feed in a header": raw("200 OK\r\ncontent-type: application/json\n\n", "{}"),
  "only announcements": { raw: "HTTP/1.1 100 Continue\r\n\r\n".repeat(3) },
  "closed at once": { apply: "never", cutAfter: 0, ending: "close" },
  "reset in the head": { ...body("{}"), cutAfter: 20, ending: "reset" },
  "slow, 4.5 s": { delayMs: 4_500 },
  "slower than the deadline": { apply: "never", delayMs: 14_000 },
};

/** What the service or its network can do to one kind of call. Leaves out lies that nobody could detect. */
export const faultList: NamedFault[] = [
  ...[...wireFaults, ...slowWireFaults].map(([name, action]) => ({ name, action })),
  ...Object.entries(more).map(([name, action]) => ({ name, action })),
  { name: "every connection reset", action: {}, connections: "reset" },
  { name: "every connection hanging", action: {}, connections: "hang" },
];

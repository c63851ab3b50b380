import type { Connection } from "@/lib/connection/model/connection";

/** What came of a change of the credentials. `unchanged`: they were those in use. */
export type Saved =
  | { outcome: "saved"; connection: Connection; isFirst: boolean }
  | { outcome: "unchanged" | "waiting" | "reject" | "withdraw" };

import type { ClientDirectory } from "./client-directory";
import type { Store } from "./store";
import type { Tokens } from "./tokens";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { IpAddress } from "./ip-list";

/** The names under which list items may carry the Authorization value, section 2.2. */
export const authFields = ["auth_header", "authorization", "both"] as const;
export type AuthField = (typeof authFields)[number];

/** What the operations of the contract work with. */
export type Service = {
  /** Called for every request: clients can change while the sandbox runs. */
  clients: () => ClientDirectory;
  tokens: Tokens;
  store: Store;
  authField: AuthField;
};

/** What a request carries through the sandbox. */
export type SandboxEnv = {
  Bindings: HttpBindings | Http2Bindings;
  Variables: {
    /** The caller's address; null if it is unknown. */
    address: IpAddress | null;
    /** The known client it names, proven or not; for the log. */
    clientId?: string;
    /** Why it was refused; for the log. */
    reason?: string;
  };
};

import type { ClientDirectory } from "./client-directory";
import type { Store } from "./store";
import type { Tokens } from "./tokens";

/** The names under which list items may carry the Authorization value, section 2.2. */
export const authFields = ["auth_header", "authorization", "both"] as const;
export type AuthField = (typeof authFields)[number];

/** What the operations of the contract work with. */
export type Service = {
  /** Asked again on every request: clients can change while the sandbox runs. */
  clients: () => ClientDirectory;
  tokens: Tokens;
  store: Store;
  authField: AuthField;
};

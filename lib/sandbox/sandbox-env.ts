import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { IpAddress } from "./ip-list";

/** What a request carries on its way through the sandbox. */
export type SandboxEnv = {
  Bindings: HttpBindings | Http2Bindings;
  Variables: {
    /** Where it comes from; null if that cannot be told. */
    address: IpAddress | null;
    /** The known client it names, proven or not; for the log. */
    clientId?: string;
    /** Why it was refused; for the log. */
    reason?: string;
  };
};

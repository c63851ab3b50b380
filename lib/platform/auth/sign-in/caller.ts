import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import type { Origin } from "@/lib/platform/auth/sessions/sessions";

/** Who asks to be let in, as far as it shows. */
export type Caller = Origin & {
  /** null where no request is behind it. */
  requestId: string | null;
};

/** Of a User-Agent, what is known by name: the history takes nobody's own words. */
export function browserIn({ userAgent }: Pick<Origin, "userAgent">) {
  const { browser, system } = parseUserAgent(userAgent);
  return { browser, system };
}

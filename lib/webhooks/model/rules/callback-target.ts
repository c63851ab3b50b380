import {
  addressPlaceholders,
  checkCallbackUrl,
  type CallbackUrlProblem,
  suggestCallbackUrl,
} from "./callback-url";
import { hostReach } from "./public-host";

export type TargetPolicy = {
  /** The operator allows callbacks to loopback, private and single-label hosts. */
  allowPrivateTargets: boolean;
};

type CallbackTargetProblem = CallbackUrlProblem | "private_host";

/**
 * `ip_address`: a literal cannot carry a certificate that most receivers have. `private_host`: only where allowed.
 * `placeholder`, `two_addresses`: the path may contain what looks like one, or another address.
 */
type CallbackTargetWarning = "ip_address" | "private_host" | "placeholder" | "two_addresses";

type CallbackTargetCheck =
  | { ok: true; origin: string; warnings: CallbackTargetWarning[] }
  | { ok: false; code: CallbackTargetProblem; suggestion?: string };

/**
 * Whether Gancho accepts this callback URL: first by the contract's rule, then by its host. A public address is
 * accepted with a warning. A suggestion always passes this same check.
 */
export function checkCallbackTarget(raw: string, policy: TargetPolicy): CallbackTargetCheck {
  const check = withinPolicy(raw, policy);
  if (check.ok) return check;
  const suggestion = suggestCallbackUrl(raw);
  return suggestion !== undefined && withinPolicy(suggestion, policy).ok
    ? { ...check, suggestion }
    : check;
}

function withinPolicy(raw: string, policy: TargetPolicy): CallbackTargetCheck {
  const check = checkCallbackUrl(raw);
  if (!check.ok) return check;
  const { origin } = check;
  const doubts: CallbackTargetWarning[] = [];
  if (addressPlaceholders(raw).length > 0) doubts.push("placeholder");
  if (/^[^?]+https?:\/\//i.test(raw)) doubts.push("two_addresses");
  switch (hostReach(check.hostname)) {
    case "no_name":
      return { ok: false, code: "bad_host" };
    case "private":
      return policy.allowPrivateTargets
        ? { ok: true, origin, warnings: ["private_host", ...doubts] }
        : { ok: false, code: "private_host" };
    case "public_address":
      return { ok: true, origin, warnings: ["ip_address", ...doubts] };
    case "public_name":
      return { ok: true, origin, warnings: doubts };
  }
}

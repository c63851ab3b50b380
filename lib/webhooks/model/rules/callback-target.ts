import { checkCallbackUrl, type CallbackUrlProblem, suggestCallbackUrl } from "./callback-url";
import { hostReach } from "./public-host";

export type TargetPolicy = {
  /** The operator allows callbacks to loopback, private and single-label hosts. */
  allowPrivateTargets: boolean;
};

type CallbackTargetProblem = CallbackUrlProblem | "private_host";

/** `ip_address`: a literal cannot carry a certificate that most receivers have. `private_host`: only where allowed. */
type CallbackTargetWarning = "ip_address" | "private_host";

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
  switch (hostReach(check.hostname)) {
    case "no_name":
      return { ok: false, code: "bad_host" };
    case "private":
      return policy.allowPrivateTargets
        ? { ok: true, origin: check.origin, warnings: ["private_host"] }
        : { ok: false, code: "private_host" };
    case "public_address":
      return { ok: true, origin: check.origin, warnings: ["ip_address"] };
    case "public_name":
      return { ok: true, origin: check.origin, warnings: [] };
  }
}

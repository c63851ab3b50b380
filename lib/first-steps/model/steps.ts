import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import { isCheckedFully, isCurrent } from "@/lib/endpoint-check/model/verdict";
import { shownAuthorization } from "@/lib/webhooks/model/compare";
import type { Configuration } from "@/lib/webhooks/model/configuration";

/** In the order in which people can do them. */
const stepNames = ["connect", "allow", "register", "value", "check", "admin"] as const;
export type StepName = (typeof stepNames)[number];

/** `unknown`: the payment service does not show it; it keeps nothing open. */
export type StepState = "done" | "open" | "unknown";
export type FirstStep = { step: StepName; state: StepState };

/** The state of the setup; no clicks count. */
export type Facts = {
  /** From the last reading of the service, if there was one. */
  configuration: Pick<Configuration, "webhooks" | "list"> | null;
  /** The problem code of why the service could not be read just now; null: it was. */
  problem: string | null;
  /** The last check of each registered address; null where checks are switched off. */
  checks: readonly EndpointCheck[] | null;
  /** How many admins of the partner can sign in. */
  admins: number;
};

export function stepsOf(facts: Facts): FirstStep[] {
  const states: Record<StepName, StepState | null> = {
    connect: done(!["not_connected", "credentials_rejected"].includes(facts.problem ?? "")),
    // A client that ever got an answer was let in.
    allow: done(facts.configuration !== null && facts.problem !== "ip_not_allowed"),
    register: done((facts.configuration?.webhooks.length ?? 0) > 0),
    value: valueStep(facts.configuration),
    check: facts.checks && done(areChecked(facts.configuration, facts.checks)),
    admin: done(facts.admins > 1),
  };
  return stepNames.flatMap((step) => {
    const state = states[step];
    return state ? [{ step, state }] : [];
  });
}

/** Whether a step is left. */
export function areOpen(steps: readonly FirstStep[]): boolean {
  return steps.some(({ state }) => state === "open");
}

function done(is: boolean): StepState {
  return is ? "done" : "open";
}

function valueStep(configuration: Facts["configuration"]): StepState {
  if (!configuration || configuration.webhooks.length === 0) return "open";
  const shown = configuration.webhooks.map(({ authorization }) =>
    shownAuthorization(authorization, configuration.list),
  );
  if (shown.some(({ kind }) => kind === "unset" || kind === "conflict")) return "open";
  return shown.every((one) => one.kind === "set" || (one.kind === "hidden" && one.masked))
    ? "done"
    : "unknown";
}

/** Each as it is registered now. */
function areChecked(
  configuration: Facts["configuration"],
  checks: readonly EndpointCheck[],
): boolean {
  const webhooks = configuration?.webhooks ?? [];
  return (
    webhooks.length > 0 &&
    webhooks.every((webhook) =>
      checks.some(
        (check) =>
          check.type === webhook.type && isCurrent(check, webhook) && isCheckedFully(check),
      ),
    )
  );
}

/** What the page gives the screen besides its other data. */
export type FirstStepsContext = {
  admins: number;
  /** Invitations for an admin that somebody can still accept. */
  invited: number;
  /** The address that Gancho calls from; null where the operator has not configured it. */
  publicAddress: string | null;
};

import type { Configuration } from "./configuration";
import { effectiveDraft, type Draft } from "./draft";
import { registeredAmong } from "./registered";
import { weaknessOf, type AuthorizationWeakness } from "./rules/authorization-weakness";

/** Why a registration needs confirmation: it sets no Authorization value, or one that is easy to guess. */
export type RegistrationWarning = "none" | AuthorizationWeakness;

export function registrationWarning(
  configuration: Configuration,
  draft: Draft,
): RegistrationWarning | null {
  if (registeredAmong(configuration, draft.type).length > 0) return null;
  const { action, value } = effectiveDraft(configuration, draft).authorization;
  return action === "replace" ? (weaknessOf(value) ?? null) : "none";
}

import type { Configuration } from "./configuration";
import { meantDraft, registeredAmong, type Draft } from "./draft";
import { weaknessOf, type AuthorizationWeakness } from "./rules/authorization-weakness";

/** Why a registration is asked about once more: it sets no Authorization value, or one that is easy to guess. */
export type Doubt = "none" | AuthorizationWeakness;

export function doubtOf(configuration: Configuration, draft: Draft): Doubt | null {
  if (registeredAmong(configuration, draft.type).length > 0) return null;
  const { action, value } = meantDraft(configuration, draft).authorization;
  return action === "replace" ? (weaknessOf(value) ?? null) : "none";
}

import type { Configuration } from "./configuration";
import { effectiveDraft, type Draft } from "./draft";
import { registeredAmong } from "./registered";

/** A registration that sets no Authorization value needs confirmation. */
export function registersWithoutValue(configuration: Configuration, draft: Draft): boolean {
  const { action } = effectiveDraft(configuration, draft).authorization;
  return action !== "replace" && registeredAmong(configuration, draft.type).length === 0;
}

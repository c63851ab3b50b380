import type { Configuration } from "./configuration";
import type { Draft } from "./draft";
import { sameAuthorization, shownVersionAfter, shownVersionOf, type ShownVersion } from "./side";
import { typesOf, type WebhookType } from "./types";

/** What a save will do to one type. */
export type TypeDiff = {
  type: WebhookType;
  /** `keep`: it is as desired already. */
  effect: "register" | "overwrite" | "keep";
  before: ShownVersion;
  after: NonNullable<ShownVersion>;
  urlChanges: boolean;
  authorizationChanges: boolean;
};

/** The save's effect, per type, on the configuration that the person is looking at. */
export function diffOf(configuration: Configuration, draft: Draft): TypeDiff[] {
  return typesOf(draft.type).map((type) => {
    const before = shownVersionOf(configuration, type);
    const after = shownVersionAfter(draft, before, configuration.list);
    const urlChanges = before?.url !== after.url;
    const authorizationChanges = !sameAuthorization(
      before?.authorization ?? { kind: "unset" },
      after.authorization,
    );
    const effect = !before ? "register" : urlChanges || authorizationChanges ? "overwrite" : "keep";
    return { type, effect, before, after, urlChanges, authorizationChanges };
  });
}

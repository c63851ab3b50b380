"use client";

import { useLinkToken } from "@/components/layout/use-link-token";
import { signInWithPassword } from "@/lib/platform/auth/client/auth-client";
import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import { leaveFor } from "@/lib/platform/http/client/use-api-mutation";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { acceptInvitation, previewInvitation, type Over } from "@/lib/team/client/invitation";
import type { Accept } from "@/lib/team/model/requests";
import type { Offer } from "@/lib/team/model/team";
import { useState } from "react";

export type OpenOffer = Extract<Offer, { state: "open" }>;

export type Stage =
  | { kind: "loading" }
  | { kind: "offer"; offer: OpenOffer }
  | { kind: "over"; over: Over }
  /** The request about the link brought no answer. */
  | { kind: "failed"; failure: Failure }
  /** Accepted, and the account made; only signing in did not work. */
  | { kind: "accepted"; partner: string; email: string };

/** The outcome of pressing the button, where the stage stays. */
export type Refusal =
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  | { kind: "failed"; failure: Failure };

/** Follows one invitation from its link to the partner's page. */
export function useInvitation() {
  const [stage, setStage] = useState<Stage>({ kind: "loading" });
  const link = useLinkToken("gancho.invitation", async (token) =>
    setStage(await previewInvitation(token)),
  );

  /** Resolves to why it was refused, or null: then the stage changes, or the browser goes to the partner's page. */
  async function accept(person?: Accept["person"]): Promise<Refusal | null> {
    const token = link.token();
    const answer = await acceptInvitation({ ...(token && { token }), ...(person && { person }) });
    switch (answer.kind) {
      case "accepted":
        link.forget();
        await enter(answer.accepted, person);
        return null;
      case "over":
        setStage(answer);
        return null;
      case "other_person":
        await link.read();
        return null;
      default:
        return answer;
    }
  }

  async function enter({ email, path }: { email: string; path: string }, person: Accept["person"]) {
    const signedIn = person ? await signInWithPassword({ email, password: person.password }) : null;
    if (signedIn && signedIn.outcome !== "signed_in") {
      const partner = stage.kind === "offer" ? stage.offer.partner : "";
      setStage({ kind: "accepted", partner, email });
    } else await leaveFor(path);
  }

  return { stage, reload: link.read, accept };
}

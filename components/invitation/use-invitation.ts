"use client";

import { forgetLinkToken, takeLinkToken } from "@/components/shell/link-token";
import { signInWithPassword } from "@/lib/auth-client";
import type { FieldCode } from "@/lib/field-errors";
import type { Failure } from "@/lib/fetch-json";
import { acceptInvitation, lookAtInvitation, type Over } from "@/lib/team/ask-invitation";
import type { Accept } from "@/lib/team/requests";
import type { Offer } from "@/lib/team/team";
import { useEffect, useRef, useState } from "react";

export type OpenOffer = Extract<Offer, { state: "open" }>;

export type Stage =
  | { kind: "looking" }
  | { kind: "offer"; offer: OpenOffer }
  | { kind: "over"; over: Over }
  /** Looking brought no answer. */
  | { kind: "failed"; failure: Failure }
  /** Accepted, and the account made; only signing in did not work. */
  | { kind: "accepted"; partner: string; email: string };

/** What came of pressing the button, where the stage stays. */
export type Refusal =
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  | { kind: "failed"; failure: Failure };

const storageKey = "gancho.invitation";

/** Follows one invitation from its link to the partner's page. */
export function useInvitation() {
  const token = useRef<string | null>(null);
  const [stage, setStage] = useState<Stage>({ kind: "looking" });

  async function look() {
    token.current ??= takeLinkToken(storageKey);
    setStage(
      token.current ? await lookAtInvitation(token.current) : { kind: "over", over: "unknown" },
    );
  }

  useEffect(() => {
    void look();
    // Another link may be opened in the same tab, which changes only what stands after the #.
    const again = () => {
      token.current = null;
      void look();
    };
    window.addEventListener("hashchange", again);
    return () => window.removeEventListener("hashchange", again);
  }, []);

  /** Resolves to why it was refused, or null: then the stage changes, or the browser leaves for the partner's page. */
  async function accept(person?: Accept["person"]): Promise<Refusal | null> {
    if (!token.current) return null;
    const answer = await acceptInvitation({ token: token.current, ...(person && { person }) });
    switch (answer.kind) {
      case "accepted":
        forgetLinkToken(storageKey);
        await enter(answer.accepted, person);
        return null;
      case "over":
        setStage(answer);
        return null;
      case "look_again":
        await look();
        return null;
      default:
        return answer;
    }
  }

  async function enter({ email, path }: { email: string; path: string }, person: Accept["person"]) {
    const signedIn = person
      ? await signInWithPassword({ email, password: person.password, callbackUrl: path })
      : null;
    if (signedIn && signedIn.outcome !== "signed_in") {
      const partner = stage.kind === "offer" ? stage.offer.partner : "";
      setStage({ kind: "accepted", partner, email });
    } else location.assign(path);
  }

  return { stage, look, accept, token: () => token.current };
}

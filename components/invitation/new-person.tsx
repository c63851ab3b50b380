"use client";

import { FailureMessage } from "@/components/sign-in/failure-message";
import { SingleSignOn } from "@/components/sign-in/single-sign-on";
import type { SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { useState, type ComponentProps } from "react";
import { NewPersonForm } from "./new-person-form";

/** Single sign-on, where it is set up. */
export type SingleSignOnOffer = {
  /** What the identity provider is called. */
  name: string;
  /** How the attempt went from which the person comes back; null where they did not try yet. */
  failure: SignInFailure | null;
};

type NewPersonProps = ComponentProps<typeof NewPersonForm> & {
  singleSignOn: SingleSignOnOffer | null;
  token: () => string | null;
};

/** Somebody who has no account yet: their provider vouches for them, or they choose a password. */
export function NewPerson({ singleSignOn, token, ...form }: NewPersonProps) {
  const [failure, setFailure] = useState(singleSignOn?.failure ?? null);
  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      {singleSignOn ? (
        <SingleSignOn
          name={singleSignOn.name}
          callbackPath="/invitation"
          askWho={singleSignOn.failure?.outcome === "single_sign_on"}
          invitation={token}
          onFailure={setFailure}
        />
      ) : null}
      <NewPersonForm {...form} />
    </>
  );
}

"use client";

import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import type { Elements } from "@/components/ui/sentences";
import { yieldsFocus } from "@/components/ui/focus-content";
import { PasswordField } from "@/components/forms/password-field";
import { SecretForm } from "@/components/forms/secret-form";
import { TextField } from "@/components/forms/text-field";
import {
  signInWithOfferedPasskey,
  signInWithPasskey,
  signInWithPassword,
  type SignInFailure,
  type SignInOutcome,
  signInWithCode,
} from "@/lib/platform/auth/client/auth-client";
import { stopOfferingPasskeys } from "@/lib/platform/auth/client/passkey-client";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { FailureMessage } from "./failure-message";
import { SingleSignOn } from "./single-sign-on";

type SignInFormProps = {
  /** The path to go to afterwards. */
  callbackPath: string;
  /** Whether the person came by a link that leads straight through the provider. */
  straightOn: boolean;
  /** The identity provider; null if none is set up. */
  singleSignOn: { name: string } | null;
  /** Whether the provider is the only way in. */
  onlyProvider: boolean;
  /** Whether browsers support passkeys at this installation's URL. */
  passkeys: boolean;
  /** The failure that redirected to this page. */
  initialFailure: SignInFailure | null;
};

/** How people sign in here. */
export function SignInForm({ onlyProvider, ...props }: SignInFormProps) {
  const [failure, setFailure] = useState(props.initialFailure);
  const { singleSignOn, callbackPath, straightOn, initialFailure } = props;
  const provider = singleSignOn ? (
    <SingleSignOn
      name={singleSignOn.name}
      isOnlyWay={onlyProvider}
      callbackPath={callbackPath}
      straightOn={straightOn}
      selectsAccount={initialFailure?.outcome === "single_sign_on"}
      onFailure={setFailure}
    />
  ) : null;
  if (onlyProvider)
    return (
      <>
        {failure ? <FailureMessage failure={failure} /> : null}
        {provider}
      </>
    );
  return (
    <OwnSignIn {...props} failure={failure} onFailure={setFailure}>
      {provider}
    </OwnSignIn>
  );
}

type OwnSignInProps = Pick<SignInFormProps, "callbackPath" | "passkeys"> & {
  failure: SignInFailure | null;
  onFailure: (failure: SignInFailure | null) => void;
  /** The way through the provider. */
  children: Elements;
};

/** The first step of signing in with a password or a passkey, and the transition to the second. */
function OwnSignIn({
  callbackPath,
  passkeys,
  failure,
  onFailure: setFailure,
  children,
}: OwnSignInProps) {
  const t = useTranslations("signIn");
  const mutation = useApiMutation(async (typed: { email: string; password: string }) => {
    const result = await signInWithPassword(typed);
    return result.outcome === "signed_in" ? leaveFor(callbackPath) : result;
  });
  const [step, setStep] = useState<"password" | "code">("password");
  const offerPasskey = useOfferedPasskey(passkeys && step === "password", callbackPath, setFailure);

  const passkey = useApiMutation(async () => {
    setFailure(null);
    const result = await signInWithPasskey();
    if (result.outcome === "signed_in") return leaveFor(callbackPath);
    setFailure(result);
    // Browsers allow one passkey request at a time, and the button's has replaced the one offered in the email field.
    offerPasskey("again");
    return result;
  });

  async function submit(typed: { email: string; password: string }) {
    const result = await mutation.send({ ...typed, email: typed.email.trim() });
    if (!result) return;
    if (result.outcome === "code_required") setStep("code");
    else setFailure(result);
  }

  if (step === "code")
    return (
      <CodeForm
        callbackPath={callbackPath}
        onBack={(over) => {
          setFailure(over);
          setStep("password");
        }}
      />
    );
  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      {children}
      <SecretForm
        fields={["email", "password"]}
        submit={{ label: t("submit"), size: "lg", className: "w-full" }}
        mutation={mutation}
        refused={mutation.answer?.outcome === "code_required" ? null : mutation.answer}
        retype="password"
        onFocus={() => offerPasskey("if old")}
        onSubmit={() => setFailure(null)}
        onSend={(typed) => void submit(typed)}
        actions={(button) => (
          <>
            {button}
            <ButtonLink href="/forgot-password" variant="ghost" size="sm" className="self-center">
              {t("forgot")}
            </ButtonLink>
          </>
        )}
      >
        {(codeOf) => (
          <>
            <TextField
              type="email"
              required
              label={t("email")}
              error={codeOf("email") && t("missing.email")}
              name="email"
              autoComplete={passkeys ? "username webauthn" : "username"}
            />
            <PasswordField
              label={t("password")}
              autoComplete="current-password"
              error={codeOf("password") && t("missing.password")}
            />
          </>
        )}
      </SecretForm>
      {passkeys ? (
        // Needs no email address: the browser knows whose passkey it is.
        <Button
          size="lg"
          icon={<Fingerprint aria-hidden />}
          pending={passkey.pending}
          onClick={() => void passkey.send()}
          className="-mt-1 w-full"
        >
          {t("passkey")}
        </Button>
      ) : null}
    </>
  );
}

/** A challenge is valid for five minutes. */
const offerTtlMs = 4 * 60_000;

/**
 * Offers the person's passkeys in the email field, among the password manager's suggestions. The returned function
 * offers them again, since the challenge expires on a page that stays open.
 */
function useOfferedPasskey(
  offers: boolean,
  callbackUrl: string,
  onFailure: (failure: SignInFailure) => void,
): (when: "again" | "if old") => void {
  const offeredAt = useRef(0);
  const [round, setRound] = useState(0);
  const handleResult = useEffectEvent((result: SignInOutcome | null) => {
    if (result?.outcome === "signed_in") location.assign(callbackUrl);
    else if (result) onFailure(result);
  });
  useEffect(() => {
    if (!offers) return;
    offeredAt.current = performance.now();
    void signInWithOfferedPasskey().then((result) => handleResult(result));
    return () => void stopOfferingPasskeys();
  }, [offers, callbackUrl, round]);
  return (when) => {
    const isOld = performance.now() - offeredAt.current > offerTtlMs;
    if (when === "again" || isOld) setRound((before) => before + 1);
  };
}

type CodeFormProps = {
  callbackPath: string;
  /** Returns to the password: with a failure if the person has to, with null if they choose to. */
  onBack: (failure: SignInFailure | null) => void;
};

/** The second step: a code from the app, or one of the recovery codes. */
function CodeForm({ callbackPath, onBack }: CodeFormProps) {
  const t = useTranslations("signIn");
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const mutation = useApiMutation(async (code: string) => {
    const result = await signInWithCode(code);
    return result.outcome === "signed_in" ? leaveFor(callbackPath) : result;
  });

  const { answer: failure } = mutation;

  async function submit({ code }: { code: string }) {
    const result = await mutation.send(code.trim());
    if (result?.outcome === "code_over") onBack(result);
  }

  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      <SecretForm
        key={kind}
        opened
        fields={["code"]}
        submit={{ label: t("submit"), size: "lg", className: "w-full" }}
        mutation={mutation}
        refused={failure}
        retype="code"
        onSend={(typed) => void submit(typed)}
      >
        {(codeOf) => (
          <TextField
            mono
            required
            label={t(`code.${kind}.label`)}
            hint={t(`code.${kind}.hint`)}
            error={codeOf("code") && t("code.missing")}
            name="code"
            inputMode={kind === "app" ? "numeric" : "text"}
            autoComplete={kind === "app" ? "one-time-code" : "off"}
          />
        )}
      </SecretForm>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="ghost"
          size="sm"
          onClick={() => setKind(kind === "app" ? "recovery" : "app")}
        >
          {t(`code.${kind}.other`)}
        </Button>
        <Button ref={yieldsFocus} variant="ghost" size="sm" onClick={() => onBack(null)}>
          {t("code.back")}
        </Button>
      </div>
    </>
  );
}

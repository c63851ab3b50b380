import type { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import {
  transports,
  type CreationOptions,
  type RequestOptions,
} from "@/lib/platform/auth/model/passkey-options";

/** Making and using passkeys in the browser. The library loads on first use, not with the page. */
/**
 * Why there is no passkey: the person left the browser's dialog or took too long; the authenticator has none of theirs;
 * the browser cannot.
 */
export type PasskeyFailure = "cancelled" | "unsupported" | "known_already" | "failed";

type Outcome<Given> = { outcome: "given"; given: Given } | { outcome: PasskeyFailure };

/** An authenticator's signature, in our routes' form (lib/platform/auth/model/passkey-response.ts). */
type GivenAssertion = {
  id: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle: string | null;
};

/**
 * Lets the person choose a passkey, unlock it, and sign. `inField`: the browser offers it in a field with
 * `autocomplete="… webauthn"`, and this waits until the person chooses it there. A second call of either kind ends it
 * as `cancelled`. Never throws.
 */
export async function signWithPasskey(
  optionsJSON: RequestOptions,
  { inField = false } = {},
): Promise<Outcome<GivenAssertion>> {
  return attempt(async ({ startAuthentication }) => {
    const { id, response } = await startAuthentication({
      optionsJSON,
      useBrowserAutofill: inField,
    });
    const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
    return { id, clientDataJSON, authenticatorData, signature, userHandle };
  });
}

/** Whether this browser offers passkeys in a field. */
export async function offersPasskeysInField(): Promise<boolean> {
  try {
    return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
  } catch {
    return false;
  }
}

/** Cancels a pending choice in a field. Never throws. */
export async function stopOfferingPasskeys(): Promise<void> {
  try {
    (await import("@simplewebauthn/browser")).WebAuthnAbortService.cancelCeremony();
  } catch {
    // A library that cannot be loaded has nothing pending.
  }
}

/** Lets the person make a passkey. Never throws. */
export async function makePasskey(optionsJSON: CreationOptions) {
  return attempt(async ({ startRegistration }) => {
    const { id, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject } = response;
    const known = transports.filter((one) => response.transports?.includes(one));
    return { id, clientDataJSON, attestationObject, transports: known };
  });
}

type Library = {
  startAuthentication: typeof startAuthentication;
  startRegistration: typeof startRegistration;
};

async function attempt<Given>(work: (library: Library) => Promise<Given>): Promise<Outcome<Given>> {
  try {
    const library = await import("@simplewebauthn/browser");
    if (!library.browserSupportsWebAuthn()) return { outcome: "unsupported" };
    return { outcome: "given", given: await work(library) };
  } catch (error) {
    return { outcome: failureOf(error) };
  }
}

/** By the standard's names (WebAuthn 3, 5.1.3 and 5.1.4). */
function failureOf(error: unknown): PasskeyFailure {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  if (name === "InvalidStateError") return "known_already";
  return name === "NotSupportedError" || name === "ConstraintError" ? "unsupported" : "failed";
}

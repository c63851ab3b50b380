import { code } from "@/lib/platform/http/model/request-fields";
import { transports } from "./passkey-options";
import * as z from "zod/mini";

/** Base64url of limited length: what the history stores of it must not grow without bound. */
const bytes = (longest: number) =>
  z
    .string(code("not_text"))
    .check(
      z.minLength(1, code("required")),
      z.maxLength(longest, code("too_long")),
      z.regex(/^[A-Za-z0-9_-]+$/, code("not_offered")),
    );

/** At most 1,023 bytes (WebAuthn 3, section 4). */
const credentialId = bytes(1_364);

/** A browser adds an origin and two flags to the challenge. */
const clientData = bytes(2_000);

/** What an authenticator signed with a passkey. */
export const assertionSchema = z.strictObject(
  {
    id: credentialId,
    clientDataJSON: clientData,
    authenticatorData: bytes(1_000),
    signature: bytes(1_000),
    /** The passkey's owner; an authenticator may leave it out when the request named the passkey. */
    userHandle: z.nullable(bytes(100)),
  },
  { error: code("not_an_object") },
);
export type Assertion = z.infer<typeof assertionSchema>;

/** A passkey that an authenticator has just made. */
export const attestationSchema = z.strictObject(
  {
    id: credentialId,
    clientDataJSON: clientData,
    attestationObject: bytes(8_000),
    transports: z.array(z.enum(transports, code("not_offered"))).check(z.maxLength(7)),
  },
  { error: code("not_an_object") },
);
export type Attestation = z.infer<typeof attestationSchema>;

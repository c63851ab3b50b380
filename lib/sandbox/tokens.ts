import { errors, jwtVerify, SignJWT } from "jose";
import type { Wire } from "@/lib/platform/payment-service/contract/terms";

export type Tokens = {
  /** A new token for a client, section 2.1. Earlier ones stay valid until they expire. */
  issue(clientId: string): Promise<Wire["Token"]>;
  /** The client a token was issued to; null if it is not a token of this key, or has expired. */
  verify(token: string): Promise<string | null>;
};

type TokenOptions = {
  /** At least 32 bytes. */
  key: Uint8Array;
  /** Whole seconds that a token lives. */
  ttl: number;
  /** Milliseconds since 1970. */
  now: () => number;
};

const algorithm = "HS256";
const issuer = "gancho-sandbox";
const audience = "partner-payment-api";

/** Access tokens: signed JWTs with nothing but the client and the lifetime. */
export function createTokens({ key, ttl, now }: TokenOptions): Tokens {
  return {
    async issue(clientId) {
      const issuedAt = Math.floor(now() / 1000);
      const token = await new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(clientId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttl)
        .sign(key);
      return { access_token: token, token_type: "Bearer", expires_in: ttl };
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          // Fixed here, so that the token's header never chooses: `none` is not allowed.
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ["exp", "sub"],
          currentDate: new Date(now()),
        });
        return payload.sub ?? null;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

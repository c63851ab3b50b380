import { isoCBOR } from "@simplewebauthn/server/helpers";
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { Assertion, Attestation } from "@/lib/platform/auth/model/passkey-response";

/** What an attacker, or a broken authenticator, does differently. */
export type Twist = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  /** Nobody unlocked it. */
  unverified?: boolean;
  userHandle?: string | null;
};

type Options = { challenge: string; user?: { id: string } };

/** An authenticator in software: real keys, real signatures. Counts only where `counts`. */
export function softwareAuthenticator({
  origin = "http://localhost:3000",
  rpId = "localhost",
  counts = false,
} = {}) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  let userHandle: string | null = null;
  let counter = 0;

  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: twist.crossOrigin ?? false,
      }),
    );
  const data = (twist: Twist, extra: Buffer, flags: number) => {
    const head = createHash("sha256")
      .update(twist.rpId ?? rpId)
      .digest();
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | 0x01 | (twist.unverified ? 0 : 0x04));
    rest.writeUInt32BE(counts ? ++counter : 0, 1);
    return Buffer.concat([head, rest, extra]);
  };

  return {
    id,
    /** Sets its counter back or forward. */
    setCounter: (to: number) => (counter = to),
    /** Makes the passkey for a call of `navigator.credentials.create`. */
    make(options: Options, twist: Twist = {}): Attestation {
      userHandle = options.user?.id ?? null;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseOf(publicKey)]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(data(twist, credential, 0x40))],
      ]);
      return {
        id,
        clientDataJSON: clientData("webauthn.create", options.challenge, twist).toString(
          "base64url",
        ),
        attestationObject: Buffer.from(
          isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]),
        ).toString("base64url"),
        transports: ["internal"],
      };
    },
    /** Signs the challenge of a call of `navigator.credentials.get`. */
    use(options: Options, twist: Twist = {}): Assertion {
      const json = clientData("webauthn.get", options.challenge, twist);
      const authenticatorData = data(twist, Buffer.alloc(0), 0);
      const hash = createHash("sha256").update(json).digest();
      return {
        id,
        clientDataJSON: json.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", Buffer.concat([authenticatorData, hash]), privateKey).toString(
          "base64url",
        ),
        userHandle: twist.userHandle === undefined ? userHandle : twist.userHandle,
      };
    },
  };
}

export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>;

/** RFC 9053, 7.1: an EC2 key on P-256, for ES256. */
function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, "base64url"))],
    [-3, new Uint8Array(Buffer.from(y, "base64url"))],
  ]);
  return Buffer.from(isoCBOR.encode(cose as Parameters<typeof isoCBOR.encode>[0]));
}

import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIPv4 } from "node:net";

/** PEM, as node:tls takes it. */
export type Certificate = { key: string; cert: string };

type Wanted = {
  /** DNS names and IPv4 addresses. */
  names: readonly string[];
  /** Days from now; negative: in the past. */
  fromDay?: number;
  toDay?: number;
};

/**
 * Certificates for tests, good and bad, made on the spot and without a tool: a test authority and whatever it signs.
 * Enough of X.509 (RFC 5280) for a TLS client to check dates, names and issuer; nothing more.
 */
export function createTestAuthority() {
  const keys = newKeys();
  const name = "Gancho test authority";
  const ca = pem(
    "CERTIFICATE",
    certificate({ names: [], authority: true }, name, keys.publicKey, name, keys.privateKey),
  );
  return {
    /** To be trusted by the client under test. */
    ca,
    issue: (wanted: Wanted): Certificate => issue(wanted, name, keys.privateKey),
    /** Signed by itself: no authority vouches for it. */
    selfSigned: (wanted: Wanted): Certificate => issue(wanted, null, null),
  };
}

function newKeys() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function issue(wanted: Wanted, issuer: string | null, issuerKey: KeyObject | null): Certificate {
  const { publicKey, privateKey } = newKeys();
  const subject = wanted.names[0] ?? "nobody";
  const der = certificate(wanted, subject, publicKey, issuer ?? subject, issuerKey ?? privateKey);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", der),
  };
}

function certificate(
  { names, fromDay = -1, toDay = 1, authority = false }: Wanted & { authority?: boolean },
  subject: string,
  publicKey: KeyObject,
  issuer: string,
  issuerKey: KeyObject,
): Buffer {
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))), // v3
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(generalizedTime(fromDay), generalizedTime(toDay)),
    distinguishedName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(
      0xa3,
      sequence(
        extension(
          oid.basicConstraints,
          sequence(...(authority ? [tagged(0x01, Buffer.of(0xff))] : [])),
        ),
        ...(names.length === 0
          ? []
          : [extension(oid.subjectAltName, sequence(...names.map(alternativeName)))]),
      ),
    ),
  );
  const signature = sign("sha256", body, issuerKey);
  return sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.of(0), signature])));
}

// DER, as far as it is needed here (ITU-T X.690).

function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return tagged(0x30, ...contents);
}

/** For a value whose first bit is not set. */
function integer(value: Buffer): Buffer {
  return tagged(0x02, value);
}

const oid = {
  commonName: tagged(0x06, Buffer.from("550403", "hex")),
  basicConstraints: tagged(0x06, Buffer.from("551d13", "hex")),
  subjectAltName: tagged(0x06, Buffer.from("551d11", "hex")),
};

const ecdsaWithSha256 = sequence(tagged(0x06, Buffer.from("2a8648ce3d040302", "hex")));

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid.commonName, tagged(0x0c, Buffer.from(name)))));
}

function generalizedTime(day: number): Buffer {
  const time = new Date(Date.now() + day * 24 * 60 * 60 * 1000);
  return tagged(0x18, Buffer.from(time.toISOString().replace(/[-:T]|\.\d+/g, "")));
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, tagged(0x04, value));
}

function alternativeName(name: string): Buffer {
  return isIPv4(name)
    ? tagged(0x87, Buffer.from(name.split(".").map(Number)))
    : tagged(0x82, Buffer.from(name));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

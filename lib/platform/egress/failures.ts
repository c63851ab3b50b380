import { errorCode } from "@/lib/platform/runtime/error-code";
import { networkErrorOf } from "@/lib/platform/runtime/network-error";
import type { EgressFailure } from "./model/failures";

/** Codes that mean something here alone. */
const byCode: Readonly<Record<string, EgressFailure>> = {
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",

  ERR_SSL_WRONG_VERSION_NUMBER: "not_tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not_tls",
  ERR_SSL_HTTP_REQUEST: "not_tls",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "tls_version",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "tls_version",
  ERR_SSL_VERSION_TOO_LOW: "tls_version",

  HPE_HEADER_OVERFLOW: "head_too_large",
};

export type Stage = "connect" | "tls" | "answer";

const otherwise: Record<Stage, EgressFailure> = {
  connect: "unreachable",
  tls: "tls_failed",
  answer: "closed_early",
};

export function failureOf(error: Error, stage: Stage): EgressFailure {
  const code = errorCode(error) ?? "";
  const known = networkErrorOf(code);
  // The name was resolved before, and the time is our own.
  if (known && known !== "name_not_found" && known !== "timed_out") return known;
  return byCode[code] ?? (code.startsWith("HPE_") ? "not_http" : otherwise[stage]);
}

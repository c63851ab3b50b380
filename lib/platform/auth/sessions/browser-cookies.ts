import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { cookieName } from "@/lib/platform/auth/model/session-cookie";
import { cookies } from "next/headers";
import {
  deviceLifeMs,
  deviceOwner,
  rememberDevice,
} from "@/lib/platform/auth/sign-in/known-device";
import { challengeLifeMs } from "@/lib/platform/auth/passkeys/webauthn";
import { pendingLifeMs } from "@/lib/platform/auth/sign-in/pending-sign-in";

/** The cookies of sign-in itself, beside next-auth's; no page of ours needs them, nor another site. */
type Kept = "device" | "code" | "passkey";

const lifeMs: Record<Kept, number> = {
  device: deviceLifeMs,
  code: pendingLifeMs,
  passkey: challengeLifeMs,
};

/**
 * `device`: known-device.ts; `code`: the id of pending-sign-in.ts; `passkey`: the holder of a challenge,
 * passkeys/sign-in.ts. Undefined where this browser has none.
 */
export async function keptByBrowser(what: Kept): Promise<string | undefined> {
  return (await cookies()).get(nameOf(what))?.value;
}

/** The cookies that an answer sets and removes. */
export type ToKeep = {
  keep: (what: Kept, value: string) => void;
  forget: (what: Kept) => void;
  /**
   * Written into the answer itself: the framework's method rewrites next-auth's cookies, and loses that some are to be
   * removed.
   */
  writeInto: (answer: Response) => void;
};

export function nothingToKeep(): ToKeep {
  const lines: string[] = [];
  return {
    keep: (what, value) => lines.push(setCookie(what, value, lifeMs[what] / 1000)),
    forget: (what) => lines.push(setCookie(what, "", 0)),
    writeInto: (answer) => {
      for (const line of lines) answer.headers.append("set-cookie", line);
    },
  };
}

/** This browser stays known to its person, who has just changed their credentials in it. */
export async function keepDeviceKnown(
  db: Executor,
  userId: string,
  answer: Response,
): Promise<Response> {
  const toKeep = nothingToKeep();
  toKeep.keep("device", rememberDevice(await deviceOwner(db, userId)));
  toKeep.writeInto(answer);
  return answer;
}

function nameOf(what: Kept): string {
  return cookieName(what, isSecure());
}

function setCookie(what: Kept, value: string, maxAge: number): string {
  const cookie = `${nameOf(what)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
  return isSecure() ? `${cookie}; Secure` : cookie;
}

function isSecure(): boolean {
  return env().url.protocol === "https:";
}

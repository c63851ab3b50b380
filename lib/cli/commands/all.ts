import type { Command } from "./command";

/** Every command, in the order of the help. Loaded on demand. */
export const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  "check-config": {
    summary: "try the configuration and everything that Gancho calls, before the first start",
    load: async () => (await import("./check-config")).command,
  },
  migrate: {
    summary: "bring the database's tables up to date",
    load: async () => (await import("./migrate")).command,
  },
  grants: {
    summary: "print what a user of PostgreSQL needs to serve with, and no more",
    load: async () => (await import("./grants")).command,
  },
  "create-operator": {
    summary: "add a person who runs the installation",
    load: async () => (await import("./create-operator")).command,
  },
  "verify-history": {
    summary: "check that nobody edited the history, or changed rows without Gancho",
    load: async () => (await import("./verify-history")).command,
  },
  "prune-history": {
    summary: "remove the oldest history, and sign a checkpoint in its place",
    load: async () => (await import("./prune-history")).command,
  },
  "erase-person": {
    summary: "erase a person's names and addresses for good, the history's included",
    load: async () => (await import("./erase-person")).command,
  },
  "accept-state": {
    summary: "accept what the database holds as correct, after verify-history said otherwise",
    load: async () => (await import("./accept-state")).command,
  },
  "unlink-account": {
    summary: "let a person sign in with another account of the single sign-on provider",
    load: async () => (await import("./unlink-account")).command,
  },
  "four-eyes-off": {
    summary: "let a partner without two admins change production addresses alone again",
    load: async () => (await import("./four-eyes-off")).command,
  },
  "password-link": {
    summary: "print a link to choose a new password, and confirm the person's address",
    load: async () => (await import("./password-link")).command,
  },
  "rotate-keys": {
    summary: "re-encrypt all secrets with the active key of ENCRYPTION_KEYS",
    load: async () => (await import("./rotate-keys")).command,
  },
  "reset-one-time-codes": {
    summary: "let somebody who lost their device sign in with the password alone",
    load: async () => (await import("./reset-one-time-codes")).command,
  },
  "reset-passkeys": {
    summary: "let somebody who lost their passkeys sign in without one",
    load: async () => (await import("./reset-passkeys")).command,
  },
  backup: {
    summary: "copy the embedded database while it is in use",
    load: async () => (await import("./backup")).command,
  },
  restore: {
    summary: "replace the embedded database with a backup",
    load: async () => (await import("./restore")).command,
  },
  health: {
    summary: "show the state of the installation",
    load: async () => (await import("./health")).command,
  },
  watch: {
    summary: "read every API connection in the background, beside the dashboard",
    load: async () => (await import("./watch")).command,
  },
  "audit-stream": {
    summary: "write the history and people's activity as JSON lines, for a SIEM",
    load: async () => (await import("./audit-stream")).command,
  },
  seed: {
    summary: "add made-up partners, to try the dashboard with many",
    load: async () => (await import("./seed")).command,
  },
};

import type { Command } from "./command";

/** Every command, in the order of the help. Loaded on demand. */
export const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  "check-config": {
    summary: "check the configuration and all that Gancho calls, before the first start",
    load: async () => (await import("./check-config")).command,
  },
  migrate: {
    summary: "bring the database's tables up to date",
    load: async () => (await import("./migrate")).command,
  },
  grants: {
    summary: "print the SQL grants that a PostgreSQL user needs to serve, and no more",
    load: async () => (await import("./grants")).command,
  },
  "create-operator": {
    summary: "add a person who runs the installation",
    load: async () => (await import("./create-operator")).command,
  },
  "verify-history": {
    summary: "verify that no one edited or removed entries of the history",
    load: async () => (await import("./verify-history")).command,
  },
  "prune-history": {
    summary: "remove the oldest history, and record in it that this was done",
    load: async () => (await import("./prune-history")).command,
  },
  "erase-person": {
    summary: "erase a person's names and addresses permanently, also in the history",
    load: async () => (await import("./erase-person")).command,
  },
  "unlink-account": {
    summary: "let a person sign in with another account of the single sign-on provider",
    load: async () => (await import("./unlink-account")).command,
  },
  "four-eyes-off": {
    summary: "switch four-eyes approval off for a partner that no longer has two admins",
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
    summary: "let a person who lost their device sign in with the password alone",
    load: async () => (await import("./reset-one-time-codes")).command,
  },
  "reset-passkeys": {
    summary: "let a person who lost their passkeys sign in without one",
    load: async () => (await import("./reset-passkeys")).command,
  },
  backup: {
    summary: "copy the embedded database while it is in use",
    load: async () => (await import("./backup")).command,
  },
  "after-restore": {
    summary: "end what worked when the backup was made, after it was put in place",
    load: async () => (await import("./after-restore")).command,
  },
  health: {
    summary: "show the state of the installation",
    load: async () => (await import("./health")).command,
  },
  watch: {
    summary: "read every API connection in the background, separately from the dashboard",
    load: async () => (await import("./watch")).command,
  },
};

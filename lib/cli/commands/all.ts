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
  "create-operator": {
    summary: "add a person who runs the installation",
    load: async () => (await import("./create-operator")).command,
  },
  "import-partners": {
    summary: "set up partners with their credentials and first admins from a file",
    load: async () => (await import("./import-partners")).command,
  },
  "verify-history": {
    summary: "verify that no one edited or removed entries of the history",
    load: async () => (await import("./verify-history")).command,
  },
  "export-history": {
    summary: "write every history, or what is new in them, as JSON lines for a collector",
    load: async () => (await import("./export-history")).command,
  },
  "prune-history": {
    summary: "remove the oldest history, and record in it that this was done",
    load: async () => (await import("./prune-history")).command,
  },
  "person-data": {
    summary: "print what is kept of a person, as JSON",
    load: async () => (await import("./person-data")).command,
  },
  "erase-person": {
    summary: "erase a person's names and addresses permanently, also in the history",
    load: async () => (await import("./erase-person")).command,
  },
  "four-eyes-off": {
    summary: "switch four-eyes approval off for a partner in which no two admins can do that",
    load: async () => (await import("./four-eyes-off")).command,
  },
  "reset-access": {
    summary: "let a person in who lost their password, codes, passkeys or provider's account",
    load: async () => (await import("./reset-access")).command,
  },
  "rotate-keys": {
    summary: "re-encrypt all secrets with the active key of ENCRYPTION_KEYS",
    load: async () => (await import("./rotate-keys")).command,
  },
  backup: {
    summary: "copy the embedded database while it is in use",
    load: async () => (await import("./backup")).command,
  },
  "after-restore": {
    summary: "end the sessions, links and waiting changes that a restored backup has open",
    load: async () => (await import("./after-restore")).command,
  },
};

import type { AlertQueue } from "@/lib/alerts/model/queue";
import type { KeyReport } from "@/lib/platform/secrets/model/key-report";

/** How one environment does, as far as Gancho has seen. */
export type EnvironmentHealth = {
  name: string;
  /** Host of the payment service there. */
  host: string;
  connections: number;
  /** Partners whose last look failed. */
  failing: number;
  /** When the service last confirmed anything, ISO 8601 UTC; null when it never did. */
  lastConfirmedAt: string | null;
};

export type Health = {
  version: string;
  node: string;
  database: {
    engine: "SQLite" | "PostgreSQL";
    /** How long it took to answer, milliseconds. */
    answeredInMs: number;
    /** The last change of the tables that ran. */
    schema: string;
  };
  partners: { all: number; suspended: number };
  people: number;
  mail: boolean;
  /** Whether operators' webhook is set up, and what has not arrived of what is told there and by mail. */
  alerts: AlertQueue & { webhook: boolean };
  singleSignOn: boolean;
  /** What each key of ENCRYPTION_KEYS is still needed for, the active one first. */
  keys: KeyReport[];
  environments: EnvironmentHealth[];
};

import type { AlertQueue } from "@/lib/alerts/model/alert";
import type { KeyReport } from "@/lib/platform/secrets/model/key-report";

/** The health of one environment, as far as Gancho has read it. */
export type EnvironmentHealth = {
  name: string;
  /** Host of the payment service there. */
  host: string;
  connections: number;
  /** Partners whose last reading failed. */
  failing: number;
  /** When the service last confirmed anything, ISO 8601 UTC; null when it never did. */
  lastConfirmedAt: string | null;
  /** That is longer ago than readings are apart. */
  isOld: boolean;
};

export type Health = {
  version: string;
  node: string;
  database: {
    engine: "SQLite" | "PostgreSQL";
    /** How long it took to answer, milliseconds. */
    answeredInMs: number;
    /** The last migration that ran. */
    schema: string;
  };
  partners: { all: number; suspended: number };
  /** In use, and with nobody who could approve a change, where REQUIRE_FOUR_EYES has every one take two people. */
  withoutSecondPerson: { id: string; name: string }[];
  people: number;
  mail: boolean;
  /** Whether the operators' webhook is set up, and its and the mail's undelivered alerts; whether the oldest waits for long. */
  alerts: AlertQueue & { webhook: boolean; isLate: boolean };
  singleSignOn: boolean;
  /** What each key of ENCRYPTION_KEYS is still needed for, the active one first. */
  keys: KeyReport[];
  environments: EnvironmentHealth[];
};

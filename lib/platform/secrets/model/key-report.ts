/** One key of ENCRYPTION_KEYS, or one that is still needed to open something. */
export type KeyReport = {
  id: string;
  /** Partners whose data key is wrapped under it. */
  partners: number;
  /** Whether it wraps the key of the installation's people: their history and one-time codes. */
  people: boolean;
  standing: KeyStanding;
};

/**
 * What stands between a key and its removal. `missing`: needed, and not configured; `unsure`: another instance may still seal
 * something under it; `stands_by`: nothing was ever wrapped under it.
 */
export type KeyStanding = "active" | "needed" | "missing" | "removable" | "stands_by" | "unsure";

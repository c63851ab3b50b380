/** One key of ENCRYPTION_KEYS, or one that is still needed to open something. */
export type KeyReport = {
  id: string;
  /** How many data keys are wrapped under it: one for each partner, and those of the installation's people. */
  dataKeys: number;
  /** `needed`: not the first of ENCRYPTION_KEYS; `missing`: needed, and not configured; `unused`: by no data key. */
  standing: "active" | "needed" | "missing" | "unused";
};

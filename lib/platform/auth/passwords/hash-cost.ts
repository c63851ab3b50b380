/** Of a password's hash: Argon2id with 64 MiB in KiB, three passes, one lane. Unit tests have a lower one, of the same form. */
export const hashCost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 };

/**
 * What hashing a password costs: Argon2id, the package's default variant, with 64 MiB in KiB, three passes and one
 * lane. Unit tests replace this module with `testing/hash-cost.ts`, so it is imported by its full path.
 */
export const hashCost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 };

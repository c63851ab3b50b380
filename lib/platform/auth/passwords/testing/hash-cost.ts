/** Cheap: the real cost was half of the sign-in tests' work. */
export const hashCost = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

/** In place of the real cost, which was half the work of the tests of signing in. */
export const hashCost = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

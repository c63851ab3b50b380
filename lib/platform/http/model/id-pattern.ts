/**
 * What an id in a path looks like, partners and environments included: it is checked before it meets the database.
 * A leaf that the browser shares.
 */
export const idPattern = /^[a-z0-9-]{3,40}$/;

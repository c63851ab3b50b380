/**
 * The form of an id in a path, partners and environments included: checked before any query. A leaf that the browser
 * shares.
 */
export const idPattern = /^[a-z0-9-]{3,40}$/;

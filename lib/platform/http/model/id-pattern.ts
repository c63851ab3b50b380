/**
 * The form of an id in a path, partners and environments included: checked before any query. Shared with the browser.
 */
export const idPattern = /^[a-z0-9-]{3,40}$/;

import { readConnection as readConnectionWith } from "@/lib/connection/server/stored";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { checkConnection as checkConnectionWith } from "@/lib/connection/server/check";
import { replaceConnection as replaceConnectionWith } from "@/lib/connection/server/replace";

/** A person's actions, with the access check that their route makes. */
export const checkConnection = inPartner("connection.write", checkConnectionWith);
export const readConnection = inPartner("connection.read", readConnectionWith);
export const replaceConnection = inPartner("connection.write", replaceConnectionWith);

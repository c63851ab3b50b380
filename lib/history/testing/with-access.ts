import { byStaff, inPartner, signedIn } from "@/lib/platform/access/testing/asking";
import { readHistory as readHistoryWith } from "@/lib/history/server/read/find";
import { historyActors as historyActorsWith } from "@/lib/history/server/read/actors";
import { exportHistory as exportHistoryWith } from "@/lib/history/server/export/export";
import {
  readActivity as readActivityWith,
  exportActivity as exportActivityWith,
  activityActors as activityActorsWith,
  readOwnActivity as readOwnActivityWith,
} from "@/lib/history/server/read/activity";

/** A person's actions, with the access check that their route makes. */
export const readHistory = inPartner("history.read", readHistoryWith);
export const historyActors = inPartner("history.read", historyActorsWith);
export const exportHistory = inPartner("history.read", exportHistoryWith);
export const readActivity = byStaff("installation.read", readActivityWith);
export const exportActivity = byStaff("installation.read", exportActivityWith);
export const activityActors = byStaff("installation.read", activityActorsWith);
export const readOwnActivity = signedIn(readOwnActivityWith);

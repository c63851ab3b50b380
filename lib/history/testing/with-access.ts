import { byStaff, inPartner, signedIn } from "@/lib/platform/access/testing/asking";
import type { Reader } from "@/lib/platform/i18n/reader";
import * as exporting from "@/lib/history/server/export/export";
import * as activity from "@/lib/history/server/read/activity";
import * as actors from "@/lib/history/server/read/actors";
import * as finding from "@/lib/history/server/read/history";

export const inEnglish: Reader = { locale: "en", timeZone: "UTC" };

/** A person's actions, with the access check that their route makes. */
export const readHistory = inPartner("history.read", finding.readHistory);
export const historyActors = inPartner("history.read", actors.historyActors);
export const exportHistory = inPartner("history.read", exporting.exportHistory);
export const readActivity = byStaff("installation.read", activity.readActivity);
export const exportActivity = byStaff("installation.read", activity.exportActivity);
export const activityActors = byStaff("installation.read", activity.activityActors);
export const readOwnActivity = signedIn(activity.readOwnActivity);

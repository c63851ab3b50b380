import { byStaffFor, inPartner } from "@/lib/platform/access/testing/asking";
import * as addresses from "@/lib/team/server/alert-addresses";
import * as fourEyes from "@/lib/team/server/four-eyes/switch-four-eyes";
import * as invitations from "@/lib/team/server/invitations/invite";
import * as revoking from "@/lib/team/server/invitations/revoke-invitation";
import * as members from "@/lib/team/server/members";
import * as team from "@/lib/team/server/read";

/** A person's actions, with the access check that their route makes. */
export const readTeam = inPartner("team.read", team.readTeam);
export const switchFourEyes = inPartner("four_eyes.write", fourEyes.switchFourEyes);
export const inviteMember = inPartner("team.write", invitations.inviteMember);
export const inviteFirstAdmin = byStaffFor("partners.manage", invitations.inviteFirstAdmin);
export const revokeInvitation = inPartner("team.write", revoking.revokeInvitation);
export const changeRole = inPartner("team.write", members.changeRole);
export const leavePartner = inPartner("team.leave", members.leavePartner);
export const removeMember = inPartner("team.write", members.removeMember);
export const addAlertAddress = inPartner("team.write", addresses.addAlertAddress);
export const removeAlertAddress = inPartner("team.write", addresses.removeAlertAddress);

import { byStaffFor, inPartner } from "@/lib/platform/access/testing/asking";
import { readTeam as readTeamWith } from "@/lib/team/server/read";
import { switchFourEyes as switchFourEyesWith } from "@/lib/team/server/four-eyes/switch-four-eyes";
import {
  inviteMember as inviteMemberWith,
  inviteFirstAdmin as inviteFirstAdminWith,
} from "@/lib/team/server/invitations/invite";
import { revokeInvitation as revokeInvitationWith } from "@/lib/team/server/invitations/revoke-invitation";
import {
  changeRole as changeRoleWith,
  removeMember as removeMemberWith,
} from "@/lib/team/server/members";

/** A person's actions, with the access check that their route makes. */
export const readTeam = inPartner("team.read", readTeamWith);
export const switchFourEyes = inPartner("four_eyes.write", switchFourEyesWith);
export const inviteMember = inPartner("team.write", inviteMemberWith);
export const inviteFirstAdmin = byStaffFor("partners.manage", inviteFirstAdminWith);
export const revokeInvitation = inPartner("team.write", revokeInvitationWith);
export const changeRole = inPartner("team.write", changeRoleWith);
export const removeMember = inPartner("team.write", removeMemberWith);

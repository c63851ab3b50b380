import type { Locale } from "./locale";
import account from "../messages/en/account.json";
import alertAddress from "../messages/en/alertAddress.json";
import approvals from "../messages/en/approvals.json";
import attention from "../messages/en/attention.json";
import capture from "../messages/en/capture.json";
import common from "../messages/en/common.json";
import connection from "../messages/en/connection.json";
import endpointCheck from "../messages/en/endpointCheck.json";
import firstHour from "../messages/en/firstHour.json";
import installation from "../messages/en/installation.json";
import invitation from "../messages/en/invitation.json";
import mail from "../messages/en/mail.json";
import team from "../messages/en/team.json";
import history from "../messages/en/history.json";
import partners from "../messages/en/partners.json";
import password from "../messages/en/password.json";
import problems from "../messages/en/problems.json";
import receiverKit from "../messages/en/receiverKit.json";
import shell from "../messages/en/shell.json";
import signIn from "../messages/en/signIn.json";
import support from "../messages/en/support.json";
import timeline from "../messages/en/timeline.json";
import watch from "../messages/en/watch.json";
import webhooks from "../messages/en/webhooks.json";
import accountPt from "../messages/pt-BR/account.json";
import alertAddressPt from "../messages/pt-BR/alertAddress.json";
import approvalsPt from "../messages/pt-BR/approvals.json";
import attentionPt from "../messages/pt-BR/attention.json";
import capturePt from "../messages/pt-BR/capture.json";
import commonPt from "../messages/pt-BR/common.json";
import connectionPt from "../messages/pt-BR/connection.json";
import endpointCheckPt from "../messages/pt-BR/endpointCheck.json";
import firstHourPt from "../messages/pt-BR/firstHour.json";
import installationPt from "../messages/pt-BR/installation.json";
import invitationPt from "../messages/pt-BR/invitation.json";
import mailPt from "../messages/pt-BR/mail.json";
import teamPt from "../messages/pt-BR/team.json";
import historyPt from "../messages/pt-BR/history.json";
import partnersPt from "../messages/pt-BR/partners.json";
import passwordPt from "../messages/pt-BR/password.json";
import problemsPt from "../messages/pt-BR/problems.json";
import receiverKitPt from "../messages/pt-BR/receiverKit.json";
import shellPt from "../messages/pt-BR/shell.json";
import signInPt from "../messages/pt-BR/signIn.json";
import supportPt from "../messages/pt-BR/support.json";
import timelinePt from "../messages/pt-BR/timeline.json";
import watchPt from "../messages/pt-BR/watch.json";
import webhooksPt from "../messages/pt-BR/webhooks.json";

const en = {
  account,
  alertAddress,
  approvals,
  attention,
  capture,
  connection,
  endpointCheck,
  firstHour,
  installation,
  invitation,
  mail,
  team,
  common,
  shell,
  signIn,
  problems,
  receiverKit,
  webhooks,
  history,
  partners,
  password,
  support,
  timeline,
  watch,
};

/** English defines the messages; the compiler holds the other languages to it. */
export type Messages = typeof en;

/** The paths, like `team.fieldErrors`, where there is a message of this name. */
export type NamespaceWith<Key extends string, Tree = Messages, Path extends string = ""> = {
  [Name in keyof Tree & string]: Tree[Name] extends string
    ? never
    : | (Tree[Name] extends Record<Key, string> ? `${Path}${Name}` : never)
      | NamespaceWith<Key, Tree[Name], `${Path}${Name}.`>;
}[keyof Tree & string];

/** Every message of every language. For the server: the browser gets those of one, as a file (words-file.ts). */
export const messagesByLocale: Record<Locale, Messages> = {
  en,
  "pt-BR": {
    account: accountPt,
    alertAddress: alertAddressPt,
    approvals: approvalsPt,
    attention: attentionPt,
    capture: capturePt,
    common: commonPt,
    connection: connectionPt,
    endpointCheck: endpointCheckPt,
    firstHour: firstHourPt,
    installation: installationPt,
    invitation: invitationPt,
    mail: mailPt,
    team: teamPt,
    shell: shellPt,
    signIn: signInPt,
    problems: problemsPt,
    receiverKit: receiverKitPt,
    webhooks: webhooksPt,
    history: historyPt,
    partners: partnersPt,
    password: passwordPt,
    support: supportPt,
    timeline: timelinePt,
    watch: watchPt,
  },
};

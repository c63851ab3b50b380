import { verdicts } from "@/lib/endpoint-check/model/check";
import {
  historyKinds,
  kinds,
  type HistoryDetail,
  type HistoryKind,
} from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import type { Kind } from "@/lib/history/model/kind";
import { locales, type Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { addressNotKept, erasedPerson } from "@/lib/platform/secrets/model/people";
import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { describeEntry } from "./entry-words";

const state = { callbackUrl: "https://hooks.example.com/pix", fingerprint: "9c41e07d" };
const moved = { ...state, callbackUrl: "https://hooks.example.com/new" };
const change = { type: "pix_in", outcome: "overwritten", before: state, after: moved } as const;
const proposal = { id: "p", author: { id: "u", name: "Marina Castro" } };
const member = { userId: "u", name: "Rafael Sousa", email: "rafael@aurora.example" };
const invitation = { invitationId: "i", email: "ana@aurora.example", role: "editor" } as const;

/** An example of each kind. */
const examples: { [Kind in HistoryKind]: HistoryDetail[Kind] } = {
  save_attempt: { saveId: "s", desired: [{ type: "pix_in", state }] },
  save: { saveId: "s", changes: [change], problem: "upstream_timeout" },
  proposal_made: {
    proposal,
    changes: [{ type: "pix_in", before: state, after: moved }],
    reason: "moving to a new host",
    expiresAt: 1,
  },
  proposal_ended: {
    proposal,
    reason: "that host is not ours",
  },
  four_eyes_changed: { asker: "Ana", reason: "the second admin left" },
  changed_outside: {
    changes: [change, { ...change, type: "pix_out" }],
    gathered: { since: 1, count: 6 },
    isLast: true,
  },
  shown_again: { changes: [{ ...change, outcome: "seen" }] },
  outside_acknowledged: { changes: [{ ...change, outcome: "seen" }] },
  authorization_reveal: { fingerprint: "9c41e07d", problem: null },
  endpoint_checked: {
    url: "https://hooks.example.com/pix",
    typed: false,
    sent: "registered",
  },
  daily_check_switched: {},
  connection_changed: {
    clientIdBefore: "old",
    clientIdAfter: "new",
    secretReplaced: true,
    check: "ip_not_allowed",
  },
  connection_proposal_made: {
    proposal,
    clientIdBefore: "old",
    clientIdAfter: "new",
    secretReplaced: true,
    check: "credentials_rejected",
    reason: "yearly rotation",
    expiresAt: 1,
  },
  connection_proposal_ended: { proposal, clientIdAfter: "new", reason: "not ours" },
  connection_checked: { clientId: "c", candidate: false, problem: "credentials_rejected" },
  member_invited: invitation,
  invitation_revoked: { ...invitation, replaced: true },
  invitation_accepted: { ...invitation, userId: "u" },
  member_role_changed: { ...member, before: "viewer", after: "admin" },
  member_removed: { ...member, role: "viewer" },
  support_view_opened: { viewId: "v", reason: "ticket 48211", expiresAt: 1 },
  support_view_ended: { viewId: "v" },
  partner_created: { name: "Loja Aurora" },
  partner_renamed: { before: "Loja", after: "Loja Aurora" },
  partner_suspended: {},
  partner_resumed: {},
  entries_removed: { removed: 6, seal: "s", newest: 1 },
  history_restored: {},
  person_erased: { userId: "u" },
  installation_restored: { sessions: 1, links: 2 },

  signed_in: {
    by: "password",
    code: "recovery_code",
    recoveryCodesLeft: 9,
    knownBrowser: true,
    browser: "Firefox",
    system: "Linux",
  },
  sign_in_begun: { knownBrowser: false, browser: null, system: null },
  sign_in_refused: { failure: "other_account", blockedSeconds: 300, browser: null, system: "iOS" },
  confirmation_refused: { blockedSeconds: 2 },
  signed_out: {},
  sessions_ended: { ended: 2 },
  password_changed: {},
  one_time_codes_changed: { by: "recovery_code" },
  passkey_added: { passkey: "k", name: "Phone" },
  passkey_removed: { passkey: "k", name: "Phone" },
  one_time_codes_reset: member,
  account_created: member,
  account_linked: member,
  passkeys_reset: { ...member, count: 2 },
  account_unlinked: member,
  password_link_made: member,
  staff_added: { ...member, role: "support" },
  staff_role_changed: { ...member, before: null, after: "operator" },
  staff_access_changed: member,
};

const item = (kind: string, detail: unknown, outcome: string | null = null): HistoryItem => ({
  seq: 1,
  id: "i",
  at: "2026-11-20T12:00:00.000Z",
  environment: "sandbox",
  kind,
  types: ["pix_in"],
  actor: null,
  clientAddress: null,
  requestId: "r",
  outcome,
  detail,
});

const translator = (locale: Locale) =>
  createTranslator({
    locale,
    messages: messagesByLocale[locale],
    onError: (error) => {
      throw error;
    },
  });

describe.each(locales)("in %s", (locale) => {
  const t = translator(locale);
  const [unreadable] = t("timeline.unreadable", { kind: "" }).split("\n");
  const cases = historyKinds.flatMap((kind) => {
    const { outcomes }: Kind = kinds[kind];
    const all = kind === "endpoint_checked" ? verdicts : (outcomes ?? [null]);
    return all.map((outcome) => [kind, examples[kind], outcome] as const);
  });

  it.each(cases)("has a text for %s", (kind, detail, outcome) => {
    const description = describeEntry(item(kind, detail, outcome), t);
    expect(description.sentence).not.toBe(unreadable);
    if (kind === "endpoint_checked") expect(description.notes).toHaveLength(3);
    expect([description.sentence, ...description.notes].join(" ")).not.toMatch(/timeline\.|[{}<>]/);
  });

  it.each([
    ["a kind of another version", "time_travelled", {}],
    ["a name that every object has", "constructor", {}],
    ["a detail that could not be read", "save", null],
    ["a detail of another shape", "save", { changes: "none" }],
    ["a detail of another kind", "member_invited", examples.save],
  ])("does not fail on %s", (_, kind, detail) => {
    expect(describeEntry(item(kind, detail, "saved"), t).sentence).toBe(unreadable);
  });

  it("gives no duration for a save that was not applied: operators set how long Gancho checks", () => {
    const { sentence, notes } = describeEntry(item("save", examples.save, "not_applied"), t);
    expect([sentence, ...notes, t("webhooks.result.not_applied")].join(" ")).not.toMatch(/\d/);
  });

  it("does not fail on a save with an outcome of another version", () => {
    expect(describeEntry(item("save", examples.save, "half_saved"), t).sentence).toBe(unreadable);
  });
});

const english = translator("en");
const ofSave = (more: object, outcome = "saved") => [
  "save",
  { ...examples.save, ...more },
  outcome,
];
const outcomeOf = (outcome: string, more = {}) => ({ ...change, outcome, ...more });
const unseen = outcomeOf("accepted", { authorization: "not_shown" });
const seenAs = (after: object) => ({ ...change, outcome: "seen", after });
const outside = (after: object) => ["changed_outside", { changes: [seenAs(after)] }, "seen"];
const confirmed =
  "The address is confirmed. The payment service does not show whether the Authorization value took effect.";
const gone = { userId: "u", name: erasedPerson, email: erasedPerson, role: "admin" };

it.each<[string, unknown[], object]>([
  ["that a save took effect", ofSave({}), { tone: "ok", notes: [], changes: [change] }],
  [
    "that a save changed nothing, and why",
    ofSave({ changes: [outcomeOf("not_saved")] }, "not_saved"),
    {
      changes: undefined,
      requested: [outcomeOf("not_saved")],
      notes: [english("problems.upstream_timeout.title")],
    },
  ],
  [
    "which part of a save took effect, and which did not",
    ofSave({ changes: [change, outcomeOf("not_saved", { type: "pix_out" })] }, "partial"),
    { changes: [change], requested: [outcomeOf("not_saved", { type: "pix_out" })] },
  ],
  [
    "that an address is confirmed, and its value not shown",
    ofSave({ changes: [unseen], problem: null }, "accepted"),
    { notes: [confirmed] },
  ],
  [
    "that one type's address is confirmed, and the other only accepted",
    ofSave(
      { changes: [unseen, outcomeOf("accepted", { type: "pix_out" })], problem: null },
      "accepted",
    ),
    { notes: [confirmed, "The payment service accepted it but did not show it yet."] },
  ],
  [
    "that an address is shown with another value than was sent",
    ofSave({ changes: [outcomeOf("unknown", { otherValue: true })], problem: null }, "unknown"),
    {
      notes: [
        "The payment service showed the address with an Authorization value other than the one sent, or with none.",
      ],
    },
  ],
  [
    "that the service refused a save, but applied it",
    ofSave({ changes: [{ ...change, refused: true }] }),
    {
      notes: ["The payment service refused the save of Pix in, and has applied it all the same."],
    },
  ],
  [
    "which type was registered and which overwritten",
    ofSave({ changes: [change, outcomeOf("created", { type: "pix_out", before: null })] }),
    { sentence: "Pix out registered and Pix in overwritten" },
  ],
  [
    "who proposed and who approved a save",
    ofSave({ proposal }),
    { notes: ["Marina Castro proposed it, and Rafael Sousa approved it."] },
  ],
  [
    "that new credentials were not put in use, not that the service refused them",
    [
      "connection_checked",
      { clientId: "c", candidate: true, problem: "upstream_timeout" },
      "failed",
    ],
    {
      sentence: "New credentials were tried and not put in use",
      notes: [english("problems.upstream_timeout.title"), "Client ID c"],
    },
  ],
  [
    "that an invitation's address is no longer kept",
    ["member_invited", { invitationId: "i", email: addressNotKept, role: "viewer" }],
    { sentence: "(address no longer kept) was invited as Viewer" },
  ],
  [
    "only once that a person was erased",
    ["member_removed", gone],
    { sentence: "Erased person was removed from the team", notes: ["Admin until then"] },
  ],
  [
    "that a nameless passkey was added",
    ["passkey_added", { passkey: "k", name: "" }],
    { sentence: "Passkey added" },
  ],
  [
    "that a nameless passkey was removed",
    ["passkey_removed", { passkey: "k", name: "" }],
    { sentence: "Passkey removed" },
  ],
  [
    "which value the service does not show after an outside change",
    outside({ ...moved, fingerprint: null, hidden: "masked" }),
    {
      notes: [
        "The payment service does not show the Authorization value of Pix in, so Gancho cannot see whether it changed.",
      ],
    },
  ],
  [
    "that another value is shown at the same address, not that somebody changed it",
    outside({ ...state, fingerprint: null, hidden: "absent" }),
    {
      sentence: "The payment service shows another Authorization value, or none, for Pix in",
      notes: [
        "Either somebody changed it outside Gancho, or the service shows values in another way: Gancho cannot tell which. Others may know the value.",
      ],
    },
  ],
  [
    "how many outside changes it covers, and that further ones are recorded together",
    ["changed_outside", { ...examples.changed_outside, changes: [seenAs(moved)] }, "seen"],
    {
      notes: [
        "6 changes were seen since the previous entry of this kind. This is what they came to together; they are not listed one by one.",
        "There were many changes within one hour. Until that hour is over, further changes are recorded together.",
      ],
    },
  ],
])("an entry says %s", (_, entry, said) => {
  const [kind, detail, outcome] = entry as [string, unknown, string?];
  const actor = { id: "u2", name: "Rafael Sousa" };
  const description = describeEntry({ ...item(kind, detail, outcome), actor }, english);
  expect({ ...said, ...description }).toEqual({ ...description, ...said });
});

it("names erased persons in the reader's language", () => {
  const by = { id: "u2", name: erasedPerson };
  const detail = { ...examples.save, proposal: { id: "p", author: by } };
  const entry = { ...item("save", detail, "saved"), actor: by };
  expect(describeEntry(entry, translator("pt-BR")).notes).toEqual([
    "Usuário excluído propôs, e Usuário excluído aprovou.",
  ]);
});

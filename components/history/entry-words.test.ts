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
const change = { type: "pix_in", outcome: "saved", before: state, after: moved } as const;
const proposal = { id: "p", author: { id: "u", name: "Marina Castro" } };
const member = { userId: "u", name: "Rafael Sousa", email: "rafael@aurora.example" };
const invitation = { invitationId: "i", email: "ana@aurora.example", role: "editor" } as const;

/** An example of each kind. */
const examples: { [Kind in HistoryKind]: HistoryDetail[Kind] } = {
  save_attempt: { saveId: "s", desired: [{ type: "pix_in", state }] },
  save_sent: { saveId: "s", changes: [{ ...change, answered: 503 }], problem: "upstream_timeout" },
  save_shown: { saveId: "s", changes: [change], late: true },
  save_not_shown: { saveId: "s", changes: [{ ...change, outcome: "not_shown" }], lookedAt: 1 },
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
    lastLookedAt: 1,
    askedBy: { saveId: "s", at: 1, author: { id: "u", name: "Marina Castro" } },
    isLast: true,
  },
  outside_acknowledged: { changes: [{ ...change, outcome: "seen" }] },
  incident_closed: { startedAt: 1, note: "The key was in a public repository." },
  authorization_reveal: { fingerprint: "9c41e07d", problem: null },
  endpoint_checked: {
    url: "https://hooks.example.com/pix",
    typed: false,
    sent: "registered",
  },
  daily_check_switched: {},
  capture_switched: { expiresAt: 1 },
  connection_changed: {
    clientIdBefore: "old",
    clientIdAfter: "new",
    secretReplaced: true,
    check: "ip_not_allowed",
    reason: "new ones from the service",
  },
  alert_address_added: { address: "oncall@aurora.example" },
  alert_address_confirmed: { address: "oncall@aurora.example" },
  alert_address_removed: { address: "oncall@aurora.example" },
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
  invitation_revoked: { ...invitation, replaced: false, claimed: true },
  invitation_accepted: { ...invitation, userId: "u" },
  member_renamed: { userId: "u2", formerName: "f", before: "Rafael" },
  member_role_changed: { ...member, before: "viewer", after: "admin" },
  membership_claimed: { ...member, before: null, after: "admin" },
  member_removed: { ...member, role: "viewer" },
  member_left: { ...member, role: "viewer" },
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
  name_changed: { userId: "u2", formerName: "f", before: "Rafael" },
  passkey_removed: { passkey: "k", name: "Phone" },
  one_time_codes_reset: member,
  account_created: member,
  account_linked: member,
  email_changed: member,
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
    ["a detail that could not be read", "save_shown", null],
    ["a detail of another shape", "save_shown", { changes: "none" }],
    ["a detail of another kind", "member_invited", examples.save_sent],
  ])("does not fail on %s", (_, kind, detail) => {
    expect(describeEntry(item(kind, detail, "saved"), t).sentence).toBe(unreadable);
  });

  it("does not fail on a save with an outcome of another version", () => {
    expect(describeEntry(item("save_shown", examples.save_shown, "half_saved"), t).sentence).toBe(
      unreadable,
    );
  });
});

const english = translator("en");
const ofSave = (more: object, kind = "save_shown", outcome = "saved") => [
  kind,
  { saveId: "s", changes: [change], problem: null, ...more },
  outcome,
];
const outcomeOf = (outcome: string, more = {}) => ({ ...change, outcome, ...more });
const seenAs = (after: object | null) => ({ ...change, outcome: "seen", after });
const outside = (after: object | null, more = {}) => [
  "changed_outside",
  { changes: [seenAs(after)], lastLookedAt: 1, ...more },
  "seen",
];
const gone = { userId: "u", name: erasedPerson, email: erasedPerson, role: "admin" };

it.each<[string, unknown[], object]>([
  ["that a save is shown", ofSave({}), { tone: "ok", notes: [], changes: [change] }],
  [
    "that a save was not sent, and why",
    ofSave(
      { changes: [outcomeOf("not_sent")], problem: "upstream_timeout" },
      "save_sent",
      "not_sent",
    ),
    {
      changes: undefined,
      requested: [outcomeOf("not_sent")],
      notes: [english("problems.upstream_timeout.title")],
    },
  ],
  [
    "what the service answered",
    ofSave({ changes: [outcomeOf("accepted", { answered: 201 })] }, "save_sent", "accepted"),
    {
      sentence: "Change to Pix in sent and accepted",
      notes: ["The payment service answered 201."],
    },
  ],
  [
    "of which type the outcome is, and what came of the other",
    ofSave(
      {
        changes: [
          outcomeOf("accepted", { answered: 201 }),
          outcomeOf("refused", { type: "pix_out", answered: 422 }),
        ],
      },
      "save_sent",
      "refused",
    ),
    {
      sentence: "Change to Pix out refused by the payment service",
      notes: ["The payment service answered 422.", "Pix in: accepted, not shown yet."],
    },
  ],
  [
    "that an address is shown, and its value not",
    ofSave({ changes: [outcomeOf("partly", { value: "not_shown" })] }, "save_shown", "partly"),
    {
      sentence: "The payment service shows the address of Pix in",
      notes: ["For Pix in, it shows a placeholder or no Authorization value."],
    },
  ],
  [
    "that an address is shown with another value than was sent",
    ofSave({ changes: [outcomeOf("partly", { value: "other" })] }, "save_shown", "partly"),
    {
      notes: ["For Pix in, it shows an Authorization value that was not asked for."],
    },
  ],
  [
    "that a save is shown although the service had answered 403",
    ofSave({ changes: [{ ...change, answered: 403 }] }),
    { notes: ["The service had answered 403."] },
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
    "which value the service does not show beside another address",
    outside({ ...moved, fingerprint: null, hidden: "masked" }),
    {
      notes: [
        "No save here asked for it.",
        "The payment service does not show the Authorization value of Pix in.",
      ],
    },
  ],
  [
    "that another value is shown at the same address",
    outside({ ...state, fingerprint: null, hidden: "absent" }),
    {
      sentence: "The payment service shows another Authorization value, or none, for Pix in",
      notes: ["No save here sent it, or the service shows the same value in another way."],
    },
  ],
  [
    "that a type is not listed, and may only be left out",
    outside(null),
    { sentence: "The payment service does not list Pix in" },
  ],
  [
    "who had asked for exactly this before",
    outside(moved, { askedBy: { saveId: "s", at: 1, author: { id: "u", name: "Ana" } } }),
    {
      sentence: "The payment service shows Pix in differently from before",
      notes: ["Ana had asked for exactly this; no save since has."],
    },
  ],
  [
    "that the provider's claim revoked an invitation",
    ["invitation_revoked", { ...invitation, replaced: false, claimed: true }],
    {
      notes: [
        "The person who made it lost the right to invite, as the sign-in provider decided when they signed in.",
      ],
    },
  ],
  [
    "that the provider's claim decides about a member from then on",
    ["membership_claimed", { ...member, before: "editor", after: "editor" }],
    { sentence: `The sign-in provider took over ${member.name}’s membership (Editor)` },
  ],
  [
    "that further differences have no entry",
    outside(moved, { isLast: true }),
    {
      notes: [
        "No save here asked for it.",
        "There were many differences within one hour. Until that hour is over, further ones have no entry.",
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
  const detail = {
    ...examples.save_sent,
    changes: [change],
    problem: null,
    proposal: { id: "p", author: by },
  };
  const entry = { ...item("save_sent", detail, "accepted"), actor: by };
  expect(describeEntry(entry, translator("pt-BR")).notes).toEqual([
    "Usuário excluído propôs, e Usuário excluído aprovou.",
  ]);
});

it.each(locales)(
  "says in %s of a save that was not shown only what a look after ten minutes saw: there may have been none before",
  (locale) => {
    const { approvals, timeline, webhooks } = messagesByLocale[locale];
    for (const words of [
      timeline.kinds.save_not_shown,
      webhooks.result.not_shown,
      webhooks.result.types.not_shown,
      approvals.ended.save.not_shown,
    ])
      expect(words).toMatch(/after ten minutes|depois de dez minutos/i);
  },
);

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

/** One of each kind. */
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

function item(kind: string, detail: unknown, outcome: string | null = null): HistoryItem {
  return {
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
  };
}

function translator(locale: Locale) {
  return createTranslator({
    locale,
    messages: messagesByLocale[locale],
    onError: (error) => {
      throw error;
    },
  });
}

describe.each(locales)("in %s", (locale) => {
  const t = translator(locale);
  const [unreadable] = t("timeline.unreadable", { kind: "" }).split("\n");
  const cases = historyKinds.flatMap((kind) => {
    const { outcomes }: Kind = kinds[kind];
    const all = kind === "endpoint_checked" ? verdicts : (outcomes ?? [null]);
    return all.map((outcome) => [kind, examples[kind], outcome] as const);
  });

  it.each(cases)("has words for %s", (kind, detail, outcome) => {
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
  ])("describes %s, without failing", (_, kind, detail) => {
    expect(describeEntry(item(kind, detail, "saved"), t).sentence).toBe(unreadable);
  });

  it("names no time for a save that was not applied: the operator sets how long it is followed", () => {
    const { sentence, notes } = describeEntry(item("save", examples.save, "not_applied"), t);
    expect([sentence, ...notes, t("webhooks.result.not_applied")].join(" ")).not.toMatch(/\d/);
  });

  it("describes a save with an outcome of another version", () => {
    expect(describeEntry(item("save", examples.save, "half_saved"), t).sentence).toBe(unreadable);
  });
});

const unseenNote = {
  en: "The address is confirmed. The payment service does not show whether the Authorization value took effect.",
  "pt-BR":
    "O endereço está confirmado. O serviço de pagamento não exibe se o valor do Authorization entrou em vigor.",
};
const acceptedNote = {
  en: "The payment service accepted it but did not show it yet.",
  "pt-BR": "O serviço de pagamento aceitou a alteração, mas ainda não a exibia.",
};

describe("a save", () => {
  const t = translator("en");
  const describeItem = (outcome: string, detail = examples.save) =>
    describeEntry(item("save", detail, outcome), t);

  it("that took effect shows what changed", () => {
    expect(describeItem("saved")).toMatchObject({ tone: "ok", notes: [], changes: [change] });
  });

  it("that was not applied shows no change, and says why", () => {
    const late = { ...change, outcome: "not_saved" } as const;
    const description = describeItem("not_saved", { ...examples.save, changes: [late] });
    expect(description.changes).toBeUndefined();
    expect(description.requested).toEqual([late]);
    expect(description.notes).toEqual([t("problems.upstream_timeout.title")]);
  });

  it("that took effect in part shows only that part as a change", () => {
    const notSaved = { ...change, type: "pix_out", outcome: "not_saved" } as const;
    const description = describeItem("partial", { ...examples.save, changes: [change, notSaved] });
    expect([description.changes, description.requested]).toEqual([[change], [notSaved]]);
  });

  it.each(locales)("with a confirmed address and an invisible value says so, %s", (locale) => {
    const t = translator(locale);
    const unseen = { ...change, outcome: "accepted", authorization: "not_shown" } as const;
    const detail = { ...examples.save, changes: [unseen], problem: null };
    const description = describeEntry(item("save", detail, "accepted"), t);
    expect(description.notes).toEqual([unseenNote[locale]]);
    const late = { ...change, type: "pix_out", outcome: "accepted" } as const;
    const both = { ...detail, changes: [unseen, late] };
    expect(describeEntry(item("save", both, "accepted"), t).notes).toEqual([
      unseenNote[locale],
      acceptedNote[locale],
    ]);
  });

  it("whose address was seen with another value than was sent says so", () => {
    const unlike = { ...change, outcome: "unknown", otherValue: true } as const;
    const detail = { ...examples.save, changes: [unlike], problem: null };
    const description = describeEntry(item("save", detail, "unknown"), t);
    expect(description.notes).toEqual([
      "The payment service showed the address with another Authorization value than was sent, or with none.",
    ]);
  });

  it("that the service refused, and applied all the same, says so", () => {
    const refused = { ...change, refused: true } as const;
    expect(describeItem("saved", { ...examples.save, changes: [refused] }).notes).toEqual([
      "The payment service refused the save of Pix in, and has applied it all the same.",
    ]);
  });

  it("that registered one type and overwrote the other says which is which", () => {
    const created = { ...change, type: "pix_out", outcome: "created", before: null } as const;
    expect(describeItem("saved", { ...examples.save, changes: [change, created] }).sentence).toBe(
      "Pix out registered and Pix in overwritten",
    );
  });

  it("that applies somebody else's proposal names both people", () => {
    const by = { id: "u2", name: "Rafael Sousa" };
    const description = describeEntry(
      { ...item("save", { ...examples.save, proposal }, "saved"), actor: by },
      t,
    );
    expect(description.notes).toEqual(["Marina Castro proposed it, and Rafael Sousa approved it."]);
  });

  it("that was proposed and approved by erased persons says so in the reader's language", () => {
    const by = { id: "u2", name: erasedPerson };
    const author = { id: "u", name: erasedPerson };
    const detail = { ...examples.save, proposal: { id: "p", author } };
    const entry = { ...item("save", detail, "saved"), actor: by };
    expect(describeEntry(entry, translator("pt-BR")).notes).toEqual([
      "Usuário excluído propôs, e Usuário excluído aprovou.",
    ]);
  });
});

it("of an invitation that is no longer kept says so", () => {
  const detail = { invitationId: "i", email: addressNotKept, role: "viewer" };
  expect(describeEntry(item("member_invited", detail), translator("en")).sentence).toBe(
    "(address no longer kept) was invited as Viewer",
  );
});

it("of an erased person says once that they were", () => {
  const t = translator("en");
  const gone = { userId: "u", name: erasedPerson, email: erasedPerson, role: "admin" };
  expect(describeEntry(item("member_removed", gone), t)).toMatchObject({
    sentence: "Erased person was removed from the team",
    notes: ["Admin until then"],
  });
  for (const [kind, sentence] of [
    ["passkey_added", "Passkey added"],
    ["passkey_removed", "Passkey removed"],
  ] as const)
    expect(describeEntry(item(kind, { passkey: "k", name: "" }), t).sentence).toBe(sentence);
});

it("an outside change says which value the service does not show", () => {
  const elsewhere = "https://hooks.example.com/elsewhere";
  const hidden = { callbackUrl: elsewhere, fingerprint: null, hidden: "masked" } as const;
  const seen = { type: "pix_out", outcome: "seen", before: state, after: hidden } as const;
  const t = translator("en");
  const description = describeEntry(item("changed_outside", { changes: [seen] }, "seen"), t);
  expect(description.notes).toEqual([
    "The payment service does not show the Authorization value of Pix out, so Gancho cannot see whether it changed.",
  ]);
});

it("another value at the same address is said to be shown, not to have been changed by somebody", () => {
  const after = { ...state, fingerprint: null, hidden: "absent" } as const;
  const seen = { type: "pix_out", outcome: "seen", before: state, after } as const;
  const { sentence, notes } = describeEntry(
    item("changed_outside", { changes: [seen] }, "seen"),
    translator("en"),
  );
  expect(sentence).toBe("The payment service shows another Authorization value for Pix out");
  expect(notes).toEqual([
    "Either somebody changed it outside Gancho, or the service shows values in another way: Gancho cannot tell which. Others may know the value.",
  ]);
});

it("an outside change says how many it sums up, and that the next ones are recorded together", () => {
  const seen = { ...change, outcome: "seen" } as const;
  const t = translator("en");
  const about = { changes: [seen], gathered: { since: 1, count: 6 }, isLast: true };
  const description = describeEntry(item("changed_outside", about, "seen"), t);
  expect(description.notes).toEqual([
    "6 changes were seen since the previous entry of this kind. This is what they came to together; they are not listed one by one.",
    "There were many changes within one hour. Until that hour is over, further changes are recorded together.",
  ]);
});

import { always } from "@/lib/platform/runtime/testing/thorough";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LastKnown, LastKnownContent } from "./last-known";
import { reconcile, type Answer, type FollowedSave } from "./reconcile";
import type { RemoteState } from "./remote-state";

/** Each rule by itself, of one type; whole lives of saves are in proof.test.ts. */
const type = "pix_in";
const followMs = 600_000;
const confirmMs = 3_000;
const now = 10_000_000;

type State = { callbackUrl: string; fingerprint: string | null };

const url = fc.constantFrom("a", "b", "c", "d").map((path) => `https://hooks.example/${path}`);
const state: fc.Arbitrary<State> = fc.record({
  callbackUrl: url,
  fingerprint: fc.constantFrom("one", "two", "three"),
});
const isSame = (a: State, b: State) =>
  a.callbackUrl === b.callbackUrl && a.fingerprint === b.fingerprint;
const two = fc.tuple(state, state).filter(([a, b]) => !isSame(a, b));
const three = fc
  .tuple(state, state, state)
  .filter(([a, b, c]) => !isSame(a, b) && !isSame(b, c) && !isSame(a, c));

function remoteOf(
  shown: State,
  more: { duplicate?: boolean; unclear?: boolean; masked?: true; withoutType?: boolean } = {},
): RemoteState {
  const { duplicate = false, unclear = false, masked, withoutType } = more;
  const item = { ...shown, masked, authorizationConflict: false, events: null, inferred: false };
  if (withoutType) return { webhooks: {}, unrecognised: [{ ...item, type: null }], unclear };
  return { webhooks: { [type]: { ...item, duplicate } }, unrecognised: [], unclear };
}

function knownOf(was: State, past: State[] = [], more: Partial<LastKnownContent> = {}): LastKnown {
  const confirmed = {
    remote: remoteOf(was),
    lastChanges: {},
    known: { [type]: was },
    past: { [type]: past.map((each) => ({ state: each, at: now - 60_000 })) },
    written: { [type]: { value: was.fingerprint, at: 0, seen: true as const } },
    requestedAt: 0,
    epoch: 1,
    ...more,
  };
  return { confirmed, epoch: 1, stored: null, isFollowed: true, now, loadedAt: 0 };
}

const saveOf = (
  before: State,
  desired: State,
  answer: Answer,
  more: Partial<FollowedSave> = {},
): FollowedSave => ({
  id: "save",
  before: [{ type, state: before, known: "value" }],
  desired: [{ type, state: desired }],
  state: "open",
  answers: [{ type, answer }],
  results: null,
  createdAt: 0,
  sinceSentMs: 5_000,
  names: { by: "Ana" },
  ...more,
});

function see(shown: WebhookVersion | RemoteState, known: LastKnown, saves: FollowedSave[] = []) {
  const remote = shown && "webhooks" in shown ? shown : remoteOf(shown as State);
  const findings = reconcile({
    known,
    requestedAt: now,
    remote,
    saves,
    own: null,
    followMs,
    confirmMs,
  });
  return { ...findings, first: findings.resolutions[0]?.results[0] };
}

const said = { acknowledged: "accepted", refused: "not_saved", unclear: "unknown" } as const;
const answer = fc.constantFrom("acknowledged" as const, "refused" as const, "unclear" as const);

it("what is shown as it was known proves nothing new", () => {
  always(200, state, (was) => {
    const { outside, again, content } = see(was, knownOf(was));
    expect([outside, again, content.known?.[type]]).toEqual([[], [], was]);
  });
});

it("what cannot be read takes nothing from what is known, and ends no save", () => {
  const odd = fc.constantFrom({ duplicate: true }, { unclear: true }, { withoutType: true });
  always(200, three, odd, answer, ([was, wish, shown], how, answered) => {
    const save = saveOf(was, wish, answered);
    const { outside, content, first } = see(remoteOf(shown, how), knownOf(was), [save]);
    expect([outside, content.known?.[type], first?.open]).toEqual([[], was, true]);
  });
});

it("a save of which no byte left is not saved, whatever is shown", () => {
  always(200, two, state, fc.boolean(), ([was, wish], shown, isRecorded) => {
    const save = saveOf(was, wish, isRecorded ? "acknowledged" : "none", {
      state: isRecorded ? "recorded" : "open",
    });
    const { first } = see(shown, knownOf(was), [save]);
    expect(first).toMatchObject({ outcome: "not_saved", open: false });
  });
});

it("what was acknowledged and is shown is saved, by its author", () => {
  always(200, two, ([was, wish]) => {
    const { first, content, outside } = see(wish, knownOf(was), [
      saveOf(was, wish, "acknowledged"),
    ]);
    expect(first).toMatchObject({ outcome: "overwritten", open: false });
    expect(content.lastChanges[type]).toMatchObject({ by: "Ana" });
    expect(outside).toEqual([]);
  });
});

it("the old state proves nothing before the time is over, and what the answer says is said", () => {
  always(200, two, answer, fc.nat(followMs - 1), ([was, wish], answered, sinceSentMs) => {
    const save = saveOf(was, wish, answered, { sinceSentMs });
    const { first } = see(was, knownOf(was), [save]);
    expect(first).toMatchObject({ outcome: said[answered], open: true });
  });
});

it("the old state, when the time is over, ends a save as not applied, or as refused, at the second look", () => {
  always(200, two, answer, ([was, wish], answered) => {
    const save = saveOf(was, wish, answered, { sinceSentMs: followMs });
    const { first } = see(was, knownOf(was), [save]);
    expect(first).toMatchObject({ open: true });
    const later = see(was, knownOf(was), [{ ...save, results: first ? [first] : [] }]);
    const outcome = answered === "refused" ? "not_saved" : "not_applied";
    expect(later.first).toMatchObject({ outcome, open: false });
  });
});

it("a state that may come from a lagging replica ends no save before it has lasted", () => {
  const ago = fc.nat(followMs / 10 - 1);
  always(200, three, fc.boolean(), answer, ago, ([was, wish, older], isGone, answered, agoMs) => {
    if (older.callbackUrl === wish.callbackUrl) return;
    const shown = isGone ? null : older;
    const returned = { [type]: { state: shown, at: now - agoMs } };
    const result = { type, outcome: said[answered], open: true } as const;
    const save = saveOf(was, wish, answered, { sinceSentMs: followMs, results: [result] });
    const remote = shown ? remoteOf(shown) : { webhooks: {}, unrecognised: [], unclear: false };
    const another = { callbackUrl: "https://hooks.example/later", fingerprint: "one" };
    const later = saveOf(was, another, "unclear", { id: "later", sinceSentMs: followMs });
    for (const saves of [[save], [save, later]]) {
      const { first } = see(remote, knownOf(was, [older], { returned }), saves);
      expect(first).toEqual(result);
    }
  });
});

it("a type that was called not applied while the other one is followed may still take effect", () => {
  always(200, two, answer, ([was, wish], answered) => {
    const result = { type, outcome: "not_applied", open: false } as const;
    const save = saveOf(was, wish, "acknowledged", { sinceSentMs: followMs, results: [result] });
    const { first, outside, content } = see(wish, knownOf(was), [save]);
    expect(first).toMatchObject({ outcome: "overwritten", open: false });
    expect([outside, content.lastChanges[type]?.by]).toEqual([[], "Ana"]);
    const later = saveOf(was, wish, answered, { id: "later", names: { by: "Bruno" } });
    const both = see(wish, knownOf(was), [save, later]);
    const named = answered === "acknowledged" ? "Bruno" : undefined;
    expect([both.content.lastChanges[type]?.by, both.first]).toEqual([named, result]);
  });
});

it("a save whose address was seen with another value stays so until it ends, whatever is shown then", () => {
  const sent = fc.constantFrom("acknowledged" as const, "unclear" as const);
  always(200, three, sent, ([was, wish, other], answered) => {
    if (was.callbackUrl === wish.callbackUrl) return;
    const result = { type, outcome: "unknown", otherValue: true, open: true } as const;
    const save = saveOf(was, wish, answered, { results: [result] });
    const isElsewhere = other.callbackUrl !== wish.callbackUrl;
    const { first } = see(was, knownOf(isElsewhere ? wish : other), [save]);
    expect(first).toEqual(result);
  });
});

it("what was not acknowledged and is shown once is provisional, and nobody's yet", () => {
  const unproven = fc.constantFrom<Answer>("refused", "unclear");
  always(200, two, unproven, ([was, wish], answered) => {
    const save = saveOf(was, wish, answered);
    const { first, content, outside } = see(wish, knownOf(was), [save]);
    expect(first).toMatchObject({ outcome: "unknown", seenAt: now, open: true });
    expect([content.known?.[type], content.lastChanges, outside]).toEqual([was, {}, []]);
    const seen = { ...save, results: first ? [{ ...first, seenAt: now - confirmMs }] : [] };
    const later = see(wish, knownOf(was), [seen]);
    expect(later.first).toMatchObject({ outcome: "overwritten", open: false });
  });
});

it("a change that several saves asked for is one save's: the newest's that the service acknowledged", () => {
  always(200, two, fc.array(answer, { minLength: 2, maxLength: 5 }), ([was, wish], all) => {
    const saves = all.map((answered, at) =>
      saveOf(was, wish, answered, { id: `${at}`, names: { by: `${at}` } }),
    );
    const { content, outside } = see(wish, knownOf(was), saves);
    const newest = all.lastIndexOf("acknowledged");
    expect(content.lastChanges[type]?.by).toBe(newest < 0 ? undefined : `${newest}`);
    expect(outside).toEqual([]);
  });
});

it("a save that was seen is not overtaken by one that asked for the very same and was not acknowledged", () => {
  const ago = fc.tuple(fc.nat(confirmMs * 2), fc.nat(confirmMs * 2)).filter(([a, b]) => a > b);
  always(200, two, ago, fc.boolean(), ([was, wish], [seenAgo, seenAgainAgo], isFirst) => {
    const seen = (id: string, agoMs: number) =>
      saveOf(was, wish, "unclear", {
        id,
        names: { by: id },
        results: [{ type, outcome: "unknown", seenAt: now - agoMs, open: true }],
      });
    const again = isFirst
      ? saveOf(was, wish, "unclear", { id: "Bruno", names: { by: "Bruno" } })
      : seen("Bruno", seenAgainAgo);
    const { resolutions, content } = see(wish, knownOf(was), [seen("Ana", seenAgo), again]);
    const isConfirmed = seenAgo >= confirmMs;
    expect(content.lastChanges[type]?.by).toBe(isConfirmed ? "Ana" : undefined);
    const outcome = isConfirmed ? "overwritten" : "unknown";
    expect(resolutions.map(({ results: [result] }) => result)).toMatchObject(
      Array(2).fill({ outcome, open: !isConfirmed }),
    );
  });
});

it("nobody is named for an address whose value may be another client's", () => {
  const value = fc.constantFrom(null, "one");
  const known = fc.constantFrom(undefined, "none" as const, "other" as const);
  always(200, answer, value, value, known, (answered, asked, shown, showedBefore) => {
    const wish = { callbackUrl: "https://hooks.example/new", fingerprint: asked };
    const was = { callbackUrl: "https://hooks.example/old", fingerprint: "three" };
    const save = saveOf(was, wish, answered, {
      before: [{ type, state: was, known: showedBefore }],
      results: [{ type, outcome: "unknown", seenAt: now - confirmMs, open: true }],
    });
    const other = shown && "another";
    const { content } = see({ ...wish, fingerprint: other }, knownOf(was), [save]);
    const isSeenSo = shown === null || showedBefore === "other";
    const isNamed = answered === "acknowledged" && isSeenSo;
    expect(content.lastChanges[type]?.by === "Ana").toBe(isNamed);
  });
});

it("a removal that a masking list shows is its author's", () => {
  always(50, url, (callbackUrl) => {
    const masked = { callbackUrl, fingerprint: null, hidden: "masked" as const };
    const none = { callbackUrl, fingerprint: null };
    const save = saveOf(masked, none, "acknowledged", {
      before: [{ type, state: masked, known: "other" }],
    });
    const { first, content } = see(none, knownOf(masked), [save]);
    expect(first).toMatchObject({ outcome: "overwritten", open: false });
    expect(content.lastChanges[type]).toMatchObject({ by: "Ana" });
  });
});

it("a save is not called not applied where another write set a value at its old address", () => {
  const hidden = fc.constantFrom("absent" as const, "masked" as const);
  always(20, hidden, (was) => {
    const callbackUrl = "https://hooks.example/old";
    const before = { callbackUrl, fingerprint: null, hidden: was };
    const wish = { callbackUrl: "https://hooks.example/new", fingerprint: "new" };
    const save = saveOf(before, wish, "acknowledged", { sinceSentMs: followMs });
    const masked = remoteOf({ callbackUrl, fingerprint: "mask" }, { masked: true });
    const { first } = see(masked, knownOf(before), [save]);
    const later = see(masked, knownOf(before), [{ ...save, results: first ? [first] : [] }]);
    expect(later.first?.outcome).toBe(was === "absent" ? "overtaken" : "not_applied");
  });
});

it("a save is not called not applied where an earlier one may have taken effect after it", () => {
  const sent = fc.constantFrom<Answer>("acknowledged", "unclear");
  always(200, three, sent, answer, ([first, was, wish], answered, earlierAnswer) => {
    if (first.callbackUrl === was.callbackUrl || was.callbackUrl === wish.callbackUrl) return;
    const earlier = saveOf(first, { ...was, fingerprint: "earlier" }, earlierAnswer, {
      before: [{ type, state: first, known: "other" }],
      results: [{ type, outcome: "unknown", otherValue: true, open: true }],
    });
    const save = saveOf(was, wish, answered, { id: "save", sinceSentMs: followMs });
    const results = see(was, knownOf(was), [earlier, save]).resolutions[1]?.results ?? null;
    const later = see(was, knownOf(was), [earlier, { ...save, results }]);
    const said = { acknowledged: "accepted", unclear: "unknown", refused: "", none: "" } as const;
    expect(later.resolutions[1]?.results).toMatchObject([{ outcome: said[answered], open: false }]);
    const alone = see(was, knownOf(was), [{ ...save, results }]);
    expect(alone.first).toMatchObject({ outcome: "not_applied", open: false });
  });
});

it("a removal may put its address back with the value of a later save: nobody is named, and nobody outside", () => {
  const known = fc.constantFrom(undefined, "value" as const, "none" as const, "other" as const);
  always(200, three, answer, known, ([old, was, other], answered, showedBefore) => {
    if (old.callbackUrl === was.callbackUrl) return;
    const removal = saveOf(old, { ...old, fingerprint: null }, answered, {
      before: [{ type, state: old, known: showedBefore }],
    });
    const kept = { callbackUrl: old.callbackUrl, fingerprint: was.fingerprint };
    const isDifferent = kept.fingerprint !== old.fingerprint;
    const { outside, content } = see(kept, knownOf(was), [removal]);
    const isIts = isDifferent && answered !== "refused";
    expect(outside.length).toBe(isIts ? 0 : 1);
    expect(content.lastChanges[type]?.by).toBe(isIts ? undefined : null);
    const lagging = see(old, knownOf(was, [old, other]), [removal]);
    expect(lagging.content.known?.[type]).toEqual(was);
  });
});

it("an absent value proves no removal where Gancho had written one that the list did not show", () => {
  always(50, url, fc.constantFrom(undefined, "other" as const), (callbackUrl, known) => {
    const none = { callbackUrl, fingerprint: null };
    const save = saveOf(none, none, "acknowledged", { before: [{ type, state: null, known }] });
    const { first } = see(none, knownOf({ callbackUrl, fingerprint: "one" }), [save]);
    const proven = { outcome: "created" };
    const unproven = { outcome: "accepted", authorization: "not_shown" };
    expect(first).toMatchObject(known === undefined ? proven : unproven);
  });
});

it("a save of a value that the list may not show is not overtaken before its time is over", () => {
  const unproven = fc.constantFrom(undefined, "none" as const, "other" as const);
  const over = fc.boolean();
  always(200, two, unproven, over, ([was, shown], known, isOver) => {
    if (was.callbackUrl === shown.callbackUrl) return;
    const save = saveOf(was, { ...was, fingerprint: "new" }, "acknowledged", {
      before: [{ type, state: was, known }],
      sinceSentMs: isOver ? followMs : followMs - 1,
    });
    const { first } = see(shown, knownOf(was), [save]);
    expect(first?.outcome).toBe(isOver ? "overtaken" : "accepted");
    const results = first && [{ ...first, lookedAfterTime: true as const }];
    const again = see(was, knownOf(shown), [
      { ...save, sinceSentMs: followMs, results: results ?? [] },
    ]);
    if (!isOver) expect(again.first).toMatchObject({ outcome: "accepted", open: false });
  });
});

it("what no save asked for was changed outside", () => {
  always(200, two, ([was, shown]) => {
    const { outside, content } = see(shown, knownOf(was));
    expect(outside).toMatchObject([{ type, before: was, after: shown }]);
    expect([content.known?.[type], content.lastChanges[type]?.by]).toEqual([shown, null]);
  });
});

it("a state from before is no change from outside until it has lasted for a minute", () => {
  always(200, two, fc.nat(followMs / 5), fc.boolean(), ([was, older], lasted, asOther) => {
    const isElsewhere = was.callbackUrl !== older.callbackUrl;
    // With another address, the list may also show the value otherwise than before.
    const shown = asOther && isElsewhere ? { ...older, fingerprint: "otherwise" } : older;
    const returned = { [type]: { state: shown, at: now - lasted } };
    const { outside, content } = see(shown, knownOf(was, [older], { returned }));
    const isLasting = lasted >= followMs / 10;
    expect(outside.length).toBe(isLasting ? 1 : 0);
    expect(content.known?.[type]).toEqual(isLasting ? shown : was);
  });
});

it("nor is what an overtaken save had asked for, though nobody saw it and its time is over", () => {
  always(200, three, ([was, wish, later]) => {
    const late = saveOf(was, wish, "unclear", { sinceSentMs: followMs });
    const next = saveOf(was, later, "acknowledged", { id: "later" });
    const { first, content } = see(later, knownOf(was), [late, next]);
    expect(first?.open).toBe(false);
    expect(see(wish, knownOf(was, [], content)).outside).toEqual([]);
  });
});

it("what a save had set is shown again, and not changed outside, where an overtaken one was shown in between", () => {
  const overtaken = { type, outcome: "overtaken", open: false } as const;
  always(200, three, fc.boolean(), ([wish, was, before], isLasting) => {
    if (wish.callbackUrl === was.callbackUrl) return;
    const at = isLasting ? now - followMs / 10 : now;
    const lastChanges = { [type]: { at: 1, by: "Bruno" } };
    const late = saveOf(before, wish, "acknowledged", { state: "ended", results: [overtaken] });
    const { content } = see(wish, knownOf(was, [], { lastChanges }), [late]);
    expect(content.lastChanges[type]?.by).toBe("Ana");
    const returned = { [type]: { state: was, at } };
    // Its time is over before it has lasted.
    const old = content.past?.[type]?.map((one) => ({ ...one, at: isLasting ? 0 : one.at }));
    const past = { [type]: old ?? [] };
    const then = see(was, knownOf(was, [], { ...content, past, returned }));
    expect(then.outside).toEqual([]);
    expect(then.content.outside).toEqual({});
    expect(then.again.length).toBe(isLasting ? 1 : 0);
    expect(then.content.lastChanges[type]?.by).toBe(isLasting ? "Bruno" : "Ana");
  });
});

it("a time from before the clock began again counts from now: an effect is confirmed, and a change from outside found", () => {
  const ahead = fc.integer({ min: now + 1, max: now * 500 });
  always(200, three, ahead, ([was, wish, other], at) => {
    const seen = { type, outcome: "unknown", seenAt: at, open: true } as const;
    const save = saveOf(was, wish, "unclear", { results: [seen] });
    const { first } = see(wish, knownOf(was), [save]);
    expect(first).toEqual({ ...seen, seenAt: now });

    const returned = { [type]: { state: other, at } };
    const past = { [type]: [{ state: other, at }] };
    const { content, outside } = see(other, knownOf(was, [], { returned, past }));
    expect(outside).toEqual([]);
    expect(content.returned?.[type]?.at).toBe(now);
    expect(content.past?.[type]?.map((each) => each.at)).toEqual([now]);
  });
});

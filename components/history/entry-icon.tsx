import type { Told, Tone } from "./told";

const tones: Record<Tone, string> = {
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  neutral: "bg-sunken text-ink-2",
};

export function EntryIcon({ told: { tone, icon: Icon } }: { told: Told }) {
  return (
    <span
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-full ${tones[tone]}`}
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}

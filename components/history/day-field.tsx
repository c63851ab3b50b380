"use client";

import { Field } from "@/components/forms/field";
import { TextInput } from "@/components/forms/text-input";
import { useEarlyInput } from "@/components/forms/use-early-input";
import { useEffect, useRef, useState } from "react";

/** Milliseconds without another digit after which a typed day counts. */
const pause = 600;

/** Keeps the year that is still being typed from counting as one. */
const earliest = "2000-01-01";

type DayFieldProps = {
  label: string;
  /** `YYYY-MM-DD`, or empty. */
  value: string;
  /** Called once the day is whole, or gone. */
  onChange: (day: string) => void;
};

export function DayField({ label, value, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  // Other filters may have changed by then.
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const early = useEarlyInput<HTMLInputElement>(value, take);

  function take(control: HTMLInputElement) {
    const day = control.value;
    setTyped(day);
    clearTimeout(timer.current);
    if (!control.validity.valid || day === value) return;
    timer.current = setTimeout(() => latest.current(day), pause);
  }

  return (
    <Field label={label} className="sm:w-40">
      {(control) => (
        <TextInput
          {...control}
          ref={early}
          autoComplete="off"
          type="date"
          min={earliest}
          value={typed}
          onChange={(event) => take(event.target)}
        />
      )}
    </Field>
  );
}

"use client";

import { useEffect, useEffectEvent, useRef } from "react";

/**
 * For a controlled field that the server draws: text that a person typed or chose before the scripts arrived counts.
 * `drawn` is the value that the server drew; the result is the field's ref.
 */
export function useEarlyInput<Control extends HTMLInputElement | HTMLSelectElement>(
  drawn: string,
  onEarly: (control: Control) => void,
) {
  const control = useRef<Control>(null);
  const compare = useEffectEvent(() => {
    if (control.current && control.current.value !== drawn) onEarly(control.current);
  });
  useEffect(() => compare(), []);
  return control;
}

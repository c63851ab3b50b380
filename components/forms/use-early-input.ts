"use client";

import { useEffect, useEffectEvent, useRef } from "react";

/**
 * For a controlled field that the server draws: what was typed or chosen before the scripts had arrived counts, as it
 * would a moment later. `drawn` is the value that the server drew; the result is the field's ref.
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

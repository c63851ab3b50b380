"use client";

import { useEffect, useRef } from "react";

/**
 * Puts off what would move the page until a press of the pointer is over. What leaving a field brings up, such as an
 * error, would otherwise push the thing being pressed from under the pointer before it is released, and nothing
 * would be clicked.
 */
export function useAfterPress(): (work: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    const down = () => {
      pressed.current = true;
    };
    const up = () => {
      pressed.current = false;
      // The click itself comes after the release.
      const work = waiting.current.splice(0);
      setTimeout(() => work.forEach((each) => each()));
    };
    const options = { capture: true };
    window.addEventListener("pointerdown", down, options);
    window.addEventListener("pointerup", up, options);
    window.addEventListener("pointercancel", up, options);
    return () => {
      window.removeEventListener("pointerdown", down, options);
      window.removeEventListener("pointerup", up, options);
      window.removeEventListener("pointercancel", up, options);
    };
  }, []);

  return (work) => {
    if (pressed.current) waiting.current.push(work);
    else work();
  };
}

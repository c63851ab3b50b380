"use client";

import type { ComponentPropsWithoutRef } from "react";
import { inputStyle } from "./text-input";
import { useEarlyInput } from "./use-early-input";

type SelectProps = Omit<ComponentPropsWithoutRef<"select">, "value" | "onChange" | "className"> & {
  value: string;
  onChange: (value: string) => void;
};

export function Select({ value, onChange, ...rest }: SelectProps) {
  const control = useEarlyInput<HTMLSelectElement>(value, (early) => onChange(early.value));
  return (
    <select
      {...rest}
      ref={control}
      // After a reload a browser would restore what was chosen for another address.
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={inputStyle(false)}
    />
  );
}

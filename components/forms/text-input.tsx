import type { ComponentPropsWithRef } from "react";
import { inputStyle } from "./input-style";

type TextInputProps = ComponentPropsWithRef<"input"> & {
  /** For what people compare character by character. */
  mono?: boolean;
};

export function TextInput({ mono = false, type = "text", className, ...rest }: TextInputProps) {
  return <input {...rest} type={type} className={inputStyle(mono, className)} />;
}

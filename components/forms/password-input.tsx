"use client";

import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type Ref,
} from "react";
import { IconButton } from "@/components/ui/icon-button";
import { inputStyle } from "./text-input";

type PasswordInputProps = Omit<ComponentPropsWithoutRef<"input">, "type" | "autoComplete"> & {
  /**
   * A browser fills the person's saved login into every password field but `new-password`, whatever else the field
   * says. So `current-password` is for the person's own password alone, and a secret of anything else is new.
   */
  autoComplete: "current-password" | "new-password";
  ref?: Ref<HTMLInputElement | null>;
};

/** The toggle's names leave out the field's label, so that tests and tools find each control by its name alone. */
export function PasswordInput({ ref, className, ...rest }: PasswordInputProps) {
  const t = useTranslations("common");
  const [shown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current);

  // Hides a shown password on submit; otherwise the browser would remember it as plain text.
  useEffect(() => {
    const form = input.current?.form;
    if (!form) return;
    const hide = () => setShown(false);
    form.addEventListener("submit", hide, { capture: true });
    return () => form.removeEventListener("submit", hide, { capture: true });
  }, []);

  return (
    <div className="relative">
      <input
        spellCheck={false}
        autoCapitalize="none"
        {...rest}
        ref={input}
        type={shown ? "text" : "password"}
        className={inputStyle(false, `pr-11 ${className ?? ""}`)}
      />
      <IconButton
        label={t(shown ? "hideTyped" : "showTyped")}
        icon={shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-1 my-auto"
      />
    </div>
  );
}

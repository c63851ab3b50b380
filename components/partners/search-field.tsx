"use client";

import { IconButton } from "@/components/ui/icon-button";
import { TextInput } from "@/components/forms/text-input";
import { useEarlyInput } from "@/components/forms/use-early-input";
import { maxSearchLength } from "@/lib/partners/model/partner-state";
import { Search, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect } from "react";

type SearchFieldProps = {
  value: string;
  onChange: (value: string) => void;
  /** The search is complete, and its match may open. */
  onEnter: () => void;
};

/** "/" focuses it from anywhere on the page, as in many tools that support people use all day. */
export function SearchField({ value, onChange, onEnter }: SearchFieldProps) {
  const t = useTranslations("partners");
  const input = useEarlyInput<HTMLInputElement>(value, (early) => onChange(early.value));

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [input]);

  return (
    <div role="search" className="relative w-full sm:w-80">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-ink-3"
      />
      <TextInput
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxSearchLength}
        aria-label={t("search")}
        aria-keyshortcuts="/"
        placeholder={t("search")}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") onEnter();
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          onChange("");
        }}
        className="pr-10 pl-9"
      />
      {value === "" ? (
        <kbd
          aria-hidden
          title={t("shortcut")}
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto flex h-5 items-center rounded border border-line-strong px-1.5 font-mono text-xs text-ink-3 max-sm:hidden"
        >
          /
        </kbd>
      ) : (
        <IconButton
          label={t("clearSearch")}
          icon={<X aria-hidden />}
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
          className="absolute inset-y-0 right-1 my-auto"
        />
      )}
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

"use client";

import { Select } from "@/components/forms/text-input";
import { useTranslations } from "next-intl";
import { useEnvironmentName } from "./environment-name";

type EnvironmentSelectProps = {
  environments: readonly string[];
  value: string;
  onChange: (environment: string) => void;
};

/** Selects the environment of a page about many partners; renders nothing if there is only one. */
export function EnvironmentSelect({ environments, value, onChange }: EnvironmentSelectProps) {
  const t = useTranslations("shell");
  const name = useEnvironmentName();
  if (environments.length < 2) return null;
  return (
    <label className="flex items-center gap-2 text-small text-ink-2">
      <span>{t("environment")}</span>
      <span className="w-40">
        <Select value={value} onChange={onChange}>
          {environments.map((environment) => (
            <option key={environment} value={environment}>
              {name(environment)}
            </option>
          ))}
        </Select>
      </span>
    </label>
  );
}

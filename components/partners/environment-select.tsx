"use client";

import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Select } from "@/components/forms/select";
import { useTranslations } from "next-intl";

type EnvironmentSelectProps = {
  environments: readonly string[];
  value: string;
  onChange: (environment: string) => void;
};

/** Of which environment the list speaks; nothing where there is only one. */
export function EnvironmentSelect({ environments, value, onChange }: EnvironmentSelectProps) {
  const t = useTranslations("partners");
  const name = useEnvironmentName();
  if (environments.length < 2) return null;
  return (
    <label className="flex items-center gap-2 text-small text-ink-2">
      {t("environment")}
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

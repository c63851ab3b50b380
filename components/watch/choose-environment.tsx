"use client";

import { EnvironmentSelect } from "@/components/layout/nav/environment-select";
import { useRouter } from "next/navigation";

type Props = { environments: readonly string[]; value: string };

/** Selects the Overview's environment, which is part of its URL. */
export function ChooseEnvironment(props: Props) {
  const router = useRouter();
  return (
    <EnvironmentSelect
      {...props}
      onChange={(environment) => router.push(`/overview?environment=${environment}`)}
    />
  );
}

import { BareFrame } from "@/components/layout/bare-frame";
import { NotFoundState } from "@/components/layout/states/state";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shell.notFound");
  return { title: t("title") };
}

export default function NotFound() {
  return (
    <BareFrame>
      <NotFoundState />
    </BareFrame>
  );
}

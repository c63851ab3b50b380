import { presentView } from "@/lib/support/server/support-view";
import { SupportBanner } from "@/components/layout/rare-banners";
import { currentSupportView } from "@/lib/platform/access/support-view";
import { partnerTitle } from "@/app/(console)/partners/_title/partner-title";
import type { Metadata } from "next";
import type { ReactNode } from "react";

type Props = { params: Promise<{ partner: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return partnerTitle((await params).partner);
}

/** Puts a banner above every page of a partner while support views it. Each page checks access itself. */
export default async function PartnerLayout({ params, children }: Props) {
  const { partner } = await params;
  const view = await currentSupportView(partner);
  if (!view) return children;
  return (
    <div className="flex flex-col gap-6">
      <SupportBanner key={view.id} view={presentView(view)} />
      <div className="contents">{children}</div>
    </div>
  );
}

import { Skeleton } from "@/components/ui/skeleton";
import { useTranslations } from "next-intl";
import { PageHeader } from "./page-header";

/** Shown while a page loads, with the page's title. */
export function PageSkeleton({ title }: { title: string }) {
  const t = useTranslations("common");
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={title} intro={t("loading")} />
      <Skeleton className="h-64" />
      <Skeleton className="h-40" />
    </div>
  );
}

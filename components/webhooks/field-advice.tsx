import { Button } from "@/components/ui/button";
import { TriangleAlert } from "lucide-react";
import { useTranslations, type Messages } from "next-intl";

type Warning = keyof Messages["webhooks"]["sheet"]["warnings"];

type FieldAdviceProps = {
  /** What was probably meant, where what was typed is not allowed. */
  suggestion: string | undefined;
  onUse: (suggestion: string) => void;
  /** Of what is allowed, and still may not be what somebody wants. */
  warnings: readonly Warning[];
};

/** What stands under a field of the sheet beside its hint and its error. */
export function FieldAdvice({ suggestion, onUse, warnings }: FieldAdviceProps) {
  const t = useTranslations("webhooks.sheet");
  return (
    <>
      {suggestion ? (
        <Button
          size="sm"
          className="max-w-full shrink self-start text-left font-mono break-all"
          onClick={() => onUse(suggestion)}
        >
          {t("useSuggestion", { suggestion })}
        </Button>
      ) : null}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-1.5 text-small text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t(`warnings.${warning}`)}
        </p>
      ))}
    </>
  );
}

import { titleOf } from "@/app/title-of";

export const generateMetadata = titleOf("shell.notFound");
export { NotFoundState as default } from "@/components/layout/states/state";

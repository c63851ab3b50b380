export { NotFoundState as default } from "@/components/shell/not-found-state";

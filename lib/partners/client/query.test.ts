import { expect, test } from "vitest";
import { filterIn, filterParams, type PartnerFilter } from "./query";

const read = (query: string | URLSearchParams) =>
  filterIn(new URLSearchParams(query), ["sandbox", "production"], "production");

const everything: PartnerFilter = {
  search: "",
  status: null,
  sort: null,
  environment: "production",
};

test("an address gives back the filters that were written into it", () => {
  const filter: PartnerFilter = {
    search: "Loja & Cia",
    status: "failing",
    sort: "age",
    environment: "sandbox",
  };
  expect(read(filterParams(filter))).toEqual(filter);
  expect(read(filterParams(everything))).toEqual(everything);
});

test("what an address leaves out, mistypes or overdoes filters nothing", () => {
  expect(read("")).toEqual(everything);
  expect(read(`search=${"x".repeat(101)}&status=fail&sort=&environment=prod`)).toEqual(everything);
  expect(read("search=+aurora+&status=fail")).toEqual({ ...everything, search: "aurora" });
});

import { expect, it } from "vitest";
import { parseSheetAddress, searchWithSheet } from "./sheet-address";

const parse = (search: string) => parseSheetAddress(new URLSearchParams(search));

it.each([
  ["?edit=pix_in", { mode: "edit", type: "pix_in" }],
  ["?register=both", { mode: "register", type: "both" }],
  ["?register=pix_out&from=pix_in", { mode: "register", type: "pix_out", from: "pix_in" }],
  ["?edit=pix_in&from=entry.12", { mode: "edit", type: "pix_in", from: "entry.12" }],
  [
    "?edit=both&from=environment.production",
    { mode: "edit", type: "both", from: "environment.production" },
  ],
  ["?edit=pix_in&from=both", { mode: "edit", type: "pix_in" }],
  ["?edit=pix_in&from=entry.0", { mode: "edit", type: "pix_in" }],
  ["?edit=pix_in&from=environment.https://x", { mode: "edit", type: "pix_in" }],
] as const)("%s opens a sheet", (search, address) => {
  expect(parse(search)).toEqual(address);
});

it.each(["", "?edit=", "?edit=pix", "?register=pix_in,pix_out", "?edit=__proto__"])(
  "%j opens none",
  (search) => {
    expect(parse(search)).toBeNull();
  },
);

it("replaces one sheet with another, and leaves the rest of the address alone", () => {
  const search = new URLSearchParams("?theme=x&register=pix_out&from=pix_in");
  expect(searchWithSheet(search, { mode: "edit", type: "both" })).toBe("?theme=x&edit=both");
  expect(searchWithSheet(search, null)).toBe("?theme=x");
  expect(searchWithSheet(new URLSearchParams("?edit=both"), null)).toBe("");
});

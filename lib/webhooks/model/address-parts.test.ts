import { expect, it } from "vitest";
import { addressParts } from "./address-parts";
import { changedParts } from "./compare";

const hostOf = (url: string) =>
  addressParts(url)
    .filter(({ isHost }) => isHost)
    .map(({ text }) => text)
    .join("");

const drawn = (url: string) =>
  addressParts(url)
    .map(({ text, mayBreak }) => `${mayBreak ? "|" : ""}${text}`)
    .join("");

it("marks the host that messages go to, with its port", () => {
  expect(hostOf("https://hooks.loja.example:8443/pix?a=1")).toBe("hooks.loja.example:8443");
  expect(hostOf("https://hooks.loja.example")).toBe("hooks.loja.example");
  expect(hostOf("not an address")).toBe("not an address");
  expect(hostOf("")).toBe("");
});

it("marks no name before an @, and no path that a backslash begins (threat: an address that looks like the partner's own)", () => {
  for (const url of [
    "https://hooks.loja.example@evil.example/pix",
    "https://hooks.loja.example:443@evil.example/pix",
    "https://a@hooks.loja.example@evil.example",
    "https://evil.example\\@hooks.loja.example/pix",
    "https://evil.example?@hooks.loja.example/",
    "https://evil.example#@hooks.loja.example/",
    "https:\\\\evil.example/hooks.loja.example",
    "https:evil.example/hooks.loja.example",
  ]) {
    expect(hostOf(url), url).toBe("evil.example");
    expect(new URL(url).host, url).toBe("evil.example");
  }
});

it("breaks between the names of a host and before each part of a path or query, and loses nothing", () => {
  const url = "https://hooks.loja.example/pix/v2.1/in?tenant=a&b=c/d";
  expect(drawn(url)).toBe("https://hooks.|loja.|example|/pix|/v2.1|/in|?tenant=a|&b=c|/d");
  expect(
    addressParts(url)
      .map(({ text }) => text)
      .join(""),
  ).toBe(url);
});

it("marks what differs, also across the end of the host", () => {
  const [, part] = changedParts("https://a.example/pix", "https://a.example.net/hooks/pix");
  const changed = addressParts("https://a.example.net/hooks/pix", part)
    .filter(({ isChanged }) => isChanged)
    .map(({ text }) => text)
    .join("");
  expect(changed).toBe(part.changed);
  expect(part.changed).toContain(".net/hooks");
  expect(addressParts("https://a.example/pix").some(({ isChanged }) => isChanged)).toBe(false);
});

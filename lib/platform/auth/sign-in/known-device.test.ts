import { expect, it, vi } from "vitest";
import { deviceLifeMs, knownDevice, rememberDevice } from "./known-device";

vi.stubEnv("AUTH_SECRET", "0123456789abcdef0123456789abcdef-test");
vi.stubEnv("ENCRYPTION_KEYS", `test:${Buffer.from([...Array(32).keys()]).toString("base64")}`);

const start = 1_800_000_000_000;
const ana = { email: "ana@aurora.example", generation: 3 };

it("is known for half a year, by a mark that is new with each sign-in", () => {
  const [one, other] = [rememberDevice(ana, start), rememberDevice(ana, start)];
  expect(knownDevice(one, ana, start + deviceLifeMs - 1)).not.toBeNull();
  expect(knownDevice(one, ana, start + deviceLifeMs)).toBeNull();
  expect(other).not.toBe(one);
});

it("counts with a person's other browsers (threat: as many guesses as one has marks)", () => {
  const [one, other] = [rememberDevice(ana, start), rememberDevice(ana, start)];
  expect(knownDevice(one, ana, start)).toEqual(knownDevice(other, ana, start));
});

it("is valid for one account only (threat: one's own device to guess at everybody's account)", () => {
  expect(
    knownDevice(rememberDevice(ana, start), { ...ana, email: "rui@aurora.example" }, start),
  ).toBeNull();
});

it("cannot be forged or renewed (threat: a fresh count for every guess)", () => {
  const [id = "", at = "", mac = ""] = rememberDevice(ana, start).split(".");
  for (const forged of [
    `x${id}.${at}.${mac}`,
    `${id}.${Number(at) + 1}.${mac}`,
    `${id}.${at}.${mac}.`,
    `${id}.${at}.`,
    `..`,
    "",
    undefined,
  ])
    expect(knownDevice(forged, ana, start)).toBeNull();
});

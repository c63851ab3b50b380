/** The current version, the request, and whether that is another origin: browser and server must agree. */
export const originMoves: readonly (readonly [from: string, to: string, moves: boolean])[] = [
  ["https://hooks.example/pix", "https://hooks.example/elsewhere?x=1", false],
  ["https://hooks.example/pix", "https://HOOKS.Example:443/pix", false],
  ["https://HOOKS.example/pix", "https://hooks.example:0443/pix", false],
  ["https://hooks.example:8443/pix", "https://hooks.example:08443/other", false],
  ["https://hooks.example/pix", "https://hooks.example:8443/pix", true],
  ["https://hooks.example:8443/pix", "https://hooks.example/pix", true],
  ["https://hooks.example/pix", "https://sub.hooks.example/pix", true],
  ["https://hooks.example/pix", "https://hooks.example.attacker.example/pix", true],
  ["https://hooks.example/pix", "https://attacker.example/hooks.example", true],
  ["https://hooks.example/pix", "https://attacker.example/?https://hooks.example", true],
  // No parser can read these.
  ["https://xn--a.example/pix", "https://xn--b.example/pix", true],
  ["https://xn--a.example/pix", "https://xn--a.example/other", false],
  ["https://192.0.2.1/pix", "https://192.0.2.2/pix", true],
  ["https://[2001:db8::1]/pix", "https://[2001:db8::1]:443/other", false],
  // The service may hold an address that the rules refuse; it equals no other.
  ["http://hooks.example/pix", "https://hooks.example/pix", true],
  ["HTTPS://hooks.example/pix", "https://hooks.example/pix", true],
  ["https://hooks.example./pix", "https://hooks.example/pix", true],
  ["https://hooks.example@attacker.example/", "https://hooks.example/", true],
  ["https://attacker.example@hooks.example/", "https://attacker.example/", true],
  ["https://user@hooks.example/", "https://hooks.example/", true],
  ["not an address", "https://hooks.example/pix", true],
];

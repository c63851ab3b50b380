/** The same on every answer, files of the build included. proxy.ts sets what changes with each page. */
export const headersEverywhere = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  // What Gancho uses, writing to the clipboard and passkeys, is allowed to its pages by default.
  "Permissions-Policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-read=()",
};

/** What a page may load and where it may send data: this service only (HEADER-6, CONSOLE-3). No script or style stands inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join("; ")

/** What no page may use, and that passkeys are for this origin only (HEADER-8). */
export const permissionsPolicy =
  "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)"

/** Headers of the pages of the console, of the shop window and of the documentation. */
export const pageHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "permissions-policy": permissionsPolicy,
  "referrer-policy": "no-referrer"
} as const

/** Node 18 has WebCrypto, yet not as a global. Its name is not a literal, so that no bundler looks for it. */
const nodeCrypto = "node:crypto"

const subtle = async (): Promise<SubtleCrypto> =>
  globalThis.crypto?.subtle ??
  ((await import(/* @vite-ignore */ /* webpackIgnore: true */ nodeCrypto)) as { webcrypto: Crypto }).webcrypto.subtle

/** HMAC-SHA256: 32 bytes. The key must not be empty. */
export const hmacSha256 = async (key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const crypto = await subtle()
  const imported = await crypto.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return new Uint8Array(await crypto.sign("HMAC", imported, data))
}

const chance = () => Math.random().toString(36).slice(2)

/** A new one. It has to be unique within an account and need not be secret, so that it may do without WebCrypto. */
export const newIdempotencyKey = (): string =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${chance()}-${chance()}`

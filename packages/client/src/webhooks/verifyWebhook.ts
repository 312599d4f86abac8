import type { WebhookData } from "../wire/Endpoints.ts"

/** Why a delivery is not to be believed, with the status to answer it with (DELIVERY-14). */
export class WebhookError extends Error {
  /** 401: the signature is missing or wrong. 400: it is too old, from the future, or not an event. */
  readonly statusCode: 400 | 401

  constructor(statusCode: 400 | 401, message: string) {
    super(message)
    this.name = "WebhookError"
    this.statusCode = statusCode
  }
}

/** The body of a delivery: `event` says what `data` holds (DELIVERY-1). */
export type WebhookEvent<E extends keyof WebhookData = keyof WebhookData> = {
  readonly [Name in E]: {
    readonly event: Name
    /** When it happened: ISO 8601. An attempt may be days later; its time is in the headers. */
    readonly timestamp: string
    readonly data: WebhookData[Name]
    /** The HMAC of the JSON of the other three fields. */
    readonly signature: string
  }
}[E]

/** Headers in the forms that servers use: a `Headers`, a plain record, Node's `IncomingHttpHeaders`. Names in any case. */
export type HeadersLike =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The value of a header; undefined if there is none. Repeated headers are joined. */
export type HeaderReader = (lowerCaseName: string) => string | undefined

const isHeaders = (headers: HeadersLike): headers is { readonly get: (name: string) => string | null } =>
  typeof headers["get"] === "function"

const headerReader = (headers: HeadersLike): HeaderReader => {
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = values.get(name)
    return value === undefined || typeof value === "string" ? value : value.join(",")
  }
}

/** Node 18 has WebCrypto, but not as a global. The module name is not a literal, so that bundlers ignore it. */
const nodeCrypto = "node:crypto"

const subtle = async (): Promise<SubtleCrypto> =>
  globalThis.crypto?.subtle ??
  ((await import(/* @vite-ignore */ /* webpackIgnore: true */ nodeCrypto)) as { webcrypto: Crypto }).webcrypto.subtle

/** HMAC-SHA256: 32 bytes. The key must not be empty. */
const hmacSha256 = async (key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const crypto = await subtle()
  const imported = await crypto.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return new Uint8Array(await crypto.sign("HMAC", imported, data))
}

/** How much the time of an attempt may differ from the receiver's, in milliseconds (DELIVERY-14). */
const replayWindow = 5 * 60_000

const encoder = new TextEncoder()

const copied = (body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> =>
  typeof body === "string" ? encoder.encode(body) : new Uint8Array(body)

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Compares in constant time. */
const isSame = (given: string, expected: string): boolean => {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

/** Compares every candidate, also after a match. */
const includes = (candidates: ReadonlyArray<string>, expected: string): boolean =>
  candidates.reduce((found, candidate) => isSame(candidate, expected) || found, false)

/** The key: after `whsec_` decoded from base64, with or without padding; any other secret as UTF-8 bytes. */
const standardKey = (secret: string): Uint8Array<ArrayBuffer> => {
  if (!secret.startsWith("whsec_")) return encoder.encode(secret)
  return Uint8Array.from(atob(secret.slice(6).replace(/=+$/, "")), (character) => character.charCodeAt(0))
}

/** The service's own headers (DELIVERY-2, DELIVERY-3): keyed with the secret's text, over the body. Returns the attempt's time. */
const checkOwn = async (body: Uint8Array<ArrayBuffer>, read: HeaderReader, secret: string): Promise<number> => {
  const given = [read("x-service-signature"), read("x-service-signature-previous")].map((text) => text ?? "")
  if (!includes(given, hex(await hmacSha256(encoder.encode(secret), body))))
    throw new WebhookError(401, "x-service-signature does not match the body")
  const time = read("x-service-timestamp") ?? ""
  return /^\d{1,15}$/.test(time) ? Number(time) : Number.NaN
}

/** The Standard Webhooks headers, which also sign id and time. Returns the attempt's time in milliseconds. */
const checkStandard = async (body: Uint8Array<ArrayBuffer>, read: HeaderReader, secret: string): Promise<number> => {
  const [id, seconds, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => read(name) ?? ""
  ) as [string, string, string]
  const head = encoder.encode(`${id}.${seconds}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const expected = `v1,${base64(await hmacSha256(standardKey(secret), signed))}`
  if (!includes(signatures.split(" "), expected))
    throw new WebhookError(401, "webhook-signature does not match id, timestamp and body")
  return /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN
}

const parsed = (body: Uint8Array<ArrayBuffer>): WebhookEvent => {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
    const { data, event: name, timestamp } = event
    if (typeof name === "string" && typeof timestamp === "string" && typeof data === "object" && data !== null)
      return event
  } catch {
    // Any other content is invalid.
  }
  throw new WebhookError(400, "the body is not an event")
}

/** Options that may differ between receivers. */
export interface VerifyOptions {
  /** The receiver's time in milliseconds; default `Date.now()`. */
  readonly now?: number
}

/**
 * Verifies a delivery and returns its event. Throws a `WebhookError` with the status to respond with (DELIVERY-14):
 * 401 if a signature is missing or wrong, 400 if the attempt is more than 5 minutes old or early, or is not an event.
 *
 * The service sends two families of headers, its own (`x-service-…`) and those of Standard Webhooks (`webhook-…`). Every family
 * that is present must be valid, and one must be present. During a rotation the old secret stays valid, because the service then signs
 * with both.
 *
 * @param body the body as received, not parsed and serialised again
 * @param secret the subscription's secret, as given or shown: any text, or `whsec_…`
 */
export const verifyWebhook = async (
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string,
  { now = Date.now() }: VerifyOptions = {}
): Promise<WebhookEvent> => {
  if (!secret) throw new TypeError("verifyWebhook needs the subscription's secret")
  const bytes = copied(body)
  const read = headerReader(headers)
  const has = (name: string) => read(name) !== undefined
  const checks = [
    ...(has("x-service-signature") || has("x-service-signature-previous") ? [checkOwn] : []),
    ...(has("webhook-signature") ? [checkStandard] : [])
  ]
  if (checks.length === 0) throw new WebhookError(401, "the delivery is not signed")
  const times = await Promise.all(checks.map((check) => check(bytes, read, secret)))
  for (const time of times) {
    if (Number.isNaN(time)) throw new WebhookError(400, "the delivery's timestamp is missing or malformed")
    if (Math.abs(now - time) > replayWindow)
      throw new WebhookError(400, "the delivery is more than 5 minutes old or early")
  }
  return parsed(bytes)
}

import type { Message } from "@agent-marketplace/core/notifications/Message"
import type { ChannelTarget } from "@agent-marketplace/core/notifications/NotificationChannel"
import { Redacted } from "effect"
import { createECDH, createHash } from "node:crypto"

export interface PushOptions {
  /** The private key of P-256: 32 bytes in base64url. */
  readonly privateKey: Redacted.Redacted
  /** The contact for the operators of push services: `mailto:` or `https:`. */
  readonly subject: string
}

/** The uncompressed public key of a private one, in base64url. */
export const publicKeyOf = (privateKey: Redacted.Redacted): string => {
  const curve = createECDH("prime256v1")
  curve.setPrivateKey(Buffer.from(Redacted.value(privateKey), "base64url"))
  return curve.getPublicKey("base64url")
}

/** How long a push service keeps a message for a browser that is offline, in seconds. */
const timeToLive = 24 * 60 * 60

/** At most 32 characters; a later message with the same topic replaces one that waits (RFC 8030, 5.4). */
const topicOf = (id: string): string => createHash("sha256").update(id).digest("base64url").slice(0, 32)

/** A browser shows a few lines only, and a payload has at most 4096 bytes. */
const shownEntries = 5

const payloadOf = ({ entries, id, title, urgent }: Message): string =>
  JSON.stringify({
    id,
    urgent,
    title,
    body: entries
      .slice(0, shownEntries)
      .map(({ text }) => text)
      .join("\n"),
    url: entries[0]?.url ?? ""
  })

export interface PushRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const lowerCase = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== "content-length")
      .map(([name, value]) => [name.toLowerCase(), String(value)])
  )

/** The encrypted and signed request (NOTIFY-16: RFC 8291, RFC 8292). Throws if the subscription's key is no point of the curve. */
export const pushRequest = async (
  { auth, endpoint, p256dh }: Extract<ChannelTarget, { readonly kind: "push" }>,
  message: Message,
  { privateKey, subject }: PushOptions
): Promise<PushRequest> => {
  const { default: webPush } = await import("web-push")
  const { body, headers } = webPush.generateRequestDetails({ endpoint, keys: { auth, p256dh } }, payloadOf(message), {
    contentEncoding: "aes128gcm",
    TTL: timeToLive,
    topic: topicOf(message.id),
    urgency: message.urgent ? "high" : "normal",
    vapidDetails: { subject, publicKey: publicKeyOf(privateKey), privateKey: Redacted.value(privateKey) }
  })
  return { url: endpoint, headers: lowerCase(headers), body: body ?? new Uint8Array(0) }
}

import { Redacted, Result } from "effect"
import { createECDH, createHmac } from "node:crypto"
import { faultOfUrl } from "./faultOfUrl.ts"
import type { Optional } from "./SignerConfiguration.ts"
import type { SigningSeed } from "./SigningSeed.ts"

/** How notifications are sent (NOTIFY-19). */
export interface NotificationsConfiguration {
  /** Undefined: no e-mail. */
  readonly smtp: { readonly url: Redacted.Redacted; readonly from: string } | undefined
  /** Undefined: derived from the signing key. */
  readonly vapidPrivateKey: Redacted.Redacted | undefined
  /** Undefined: `SMTP_FROM` or `BASE_URL`. */
  readonly vapidSubject: string | undefined
}

export const noNotifications: NotificationsConfiguration = {
  smtp: undefined,
  vapidPrivateKey: undefined,
  vapidSubject: undefined
}

/** Whether the bytes are a private key of P-256. */
const isPrivateKey = (bytes: Buffer): boolean => {
  if (bytes.length !== 32) return false
  try {
    createECDH("prime256v1").setPrivateKey(bytes)
    return true
  } catch {
    return false
  }
}

export const vapidKeyRule =
  "must be a private key of P-256, 32 bytes in base64url, such as that of: npx web-push generate-vapid-keys"

export const isVapidKey = (text: string): boolean =>
  /^[A-Za-z0-9_-]{43}$/.test(text) && isPrivateKey(Buffer.from(text, "base64url"))

export const smtpUrlRule = "must be a URL that starts with smtp:// or smtps://"

export const isSmtpUrl = (text: string): boolean =>
  URL.canParse(text) && ["smtp:", "smtps:"].includes(new URL(text).protocol) && new URL(text).hostname !== ""

const address = /[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9.-]+/i

/** An address, or a name in front of one in angle brackets; one line of ASCII. */
const senderForm = new RegExp(`^(?:[A-Za-z0-9 .'-]{1,60} <${address.source}>|${address.source})$`, "i")

export const senderRule = "must be an address, or a name and an address, such as Market <market@shop.example>"

export const isSender = (text: string): boolean => text.length <= 300 && senderForm.test(text)

export const subjectRule = "must be mailto: with an address, or an https:// URL"

export const isVapidSubject = (text: string): boolean =>
  new RegExp(`^mailto:${address.source}$`, "i").test(text) ||
  (URL.canParse(text) && new URL(text).protocol === "https:")

const checked =
  <A>(holds: (text: string) => boolean, rule: string, make: (text: string) => A) =>
  (text: string): Result.Result<A, string> =>
    holds(text) ? Result.succeed(make(text)) : Result.fail(rule)

const asIs = (text: string): string => text

/** Reads `SMTP_URL`, `SMTP_FROM`, `VAPID_PRIVATE_KEY` and `VAPID_SUBJECT`. */
export const readNotifications = (
  optional: Optional,
  fault: (sentence: string) => void
): NotificationsConfiguration => {
  const given = new Set<string>()
  const read = <A>(name: string, rule: (text: string) => Result.Result<A, string>): A | undefined =>
    optional(name, (text) => {
      given.add(name)
      return rule(text)
    })
  const url = read("SMTP_URL", (text) => {
    const fault = faultOfUrl(text, ["smtp:", "smtps:"])
    return fault === undefined ? checked(isSmtpUrl, smtpUrlRule, Redacted.make)(text) : Result.fail(fault)
  })
  const from = read("SMTP_FROM", checked(isSender, senderRule, asIs))
  for (const [name, other] of [
    ["SMTP_FROM", "SMTP_URL"],
    ["SMTP_URL", "SMTP_FROM"]
  ] as const) {
    if (given.has(other) && !given.has(name)) fault(`${name} must be set with ${other}`)
  }
  return {
    smtp: url === undefined || from === undefined ? undefined : { url, from },
    vapidPrivateKey: read("VAPID_PRIVATE_KEY", checked(isVapidKey, vapidKeyRule, Redacted.make)),
    vapidSubject: read("VAPID_SUBJECT", checked(isVapidSubject, subjectRule, asIs))
  }
}

/** The key of push messages that the signing key determines, so that subscriptions stay valid as long as the signing key. */
const derivedVapidKey = (seed: SigningSeed): Redacted.Redacted => {
  for (let attempt = 0; ; attempt++) {
    const bytes = createHmac("sha256", Redacted.value(seed)).update(`vapid-${attempt}`).digest()
    if (isPrivateKey(bytes)) return Redacted.make(bytes.toString("base64url"))
  }
}

/** What sends notifications: the mail server, and the key and contact for push services. */
export const notifierOptions = (
  { smtp, vapidPrivateKey, vapidSubject }: NotificationsConfiguration,
  seed: SigningSeed,
  baseUrl: string
) => {
  const sender = smtp === undefined ? undefined : address.exec(smtp.from)?.[0]
  const contact = sender === undefined ? "mailto:operator@localhost" : `mailto:${sender}`
  return {
    smtp,
    push: {
      privateKey: vapidPrivateKey ?? derivedVapidKey(seed),
      subject: vapidSubject ?? (sender === undefined && baseUrl.startsWith("https:") ? baseUrl : contact)
    }
  }
}

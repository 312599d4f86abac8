import type { Issue } from "../errors/MarketError.ts"
import type { ChannelTarget, Digest } from "./NotificationChannel.ts"

export interface ChannelDraft {
  readonly target: ChannelTarget
  readonly digest: Digest
}

/** One address of printable ASCII, without quotes, comments, lists or anything that could end a header (NOTIFY-9). */
const emailAddress = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

const base64Url = (bytes: number) => new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`)

/** An uncompressed point of P-256, which starts with 4. */
const pointForm = base64Url(65)
const authForm = base64Url(16)

const chatForm = /^(?:-?\d{1,20}|@[A-Za-z]\w{4,31})$/

/** The URL of a target, which `UrlGuard` checks; undefined for an e-mail address. */
export const urlOfTarget = (target: ChannelTarget): string | undefined =>
  target.kind === "email" ? undefined : target.kind === "push" ? target.endpoint : target.url

/** What a person recognises the channel by: the address, or the host of the URL, whose path is a secret. */
export const labelOf = (target: ChannelTarget): string => {
  if (target.kind === "email") return target.address
  const { host } = new URL(urlOfTarget(target) ?? "")
  return target.kind === "telegram" ? `${host} ${target.chatId}` : host
}

/** The violations of a target, by field (NOTIFY-3, NOTIFY-9). The URL's own rules are those of `UrlGuard`. */
export const targetIssues = (target: ChannelTarget): ReadonlyArray<Issue> => {
  const issue = (holds: boolean, path: string, message: string): ReadonlyArray<Issue> =>
    holds ? [] : [{ path, message }]
  switch (target.kind) {
    case "email":
      return issue(
        target.address.length <= 254 && emailAddress.test(target.address),
        "address",
        "must be one e-mail address in ASCII, such as ada@example.org"
      )
    case "push":
      return [
        ...issue(
          pointForm.test(target.p256dh) && target.p256dh.startsWith("B"),
          "p256dh",
          "must be the subscription's public key: 65 bytes in base64url"
        ),
        ...issue(authForm.test(target.auth), "auth", "must be the subscription's secret: 16 bytes in base64url")
      ]
    case "telegram":
      return issue(
        chatForm.test(target.chatId),
        "chatId",
        "must be the number of a chat or @ and the name of a channel"
      )
    default:
      return []
  }
}

import { Context, Effect } from "effect"
import type { ChannelKind, ChannelTarget } from "./NotificationChannel.ts"
import type { Message } from "./Message.ts"

/** The result of sending one message. A `problem` is one sentence without secrets, addresses of machines or text of the receiver. */
export type SendResult =
  | { readonly _tag: "Sent" }
  /** It may succeed later. */
  | { readonly _tag: "Failed"; readonly problem: string; readonly retryAfterMillis: number | null }
  /** The receiver does not accept this message; others may be accepted. */
  | { readonly _tag: "Refused"; readonly problem: string }
  /** The receiver no longer exists. */
  | { readonly _tag: "Gone"; readonly problem: string }

/**
 * Sends messages to people.
 *
 * Contract: never fails, and takes at most 20 seconds. URLs of a target are checked at each connection as `UrlGuard` does. The same message
 * twice is marked so that a receiver that can recognise duplicates does: `Message-ID` of an e-mail, `Topic` of a push message.
 */
export const Notifier = Context.Reference<{
  /** The kinds of channels that this market can send to. */
  readonly kinds: ReadonlySet<ChannelKind>
  /** The public key with which browsers subscribe to push messages (VAPID, base64url); null if there is none. */
  readonly pushKey: string | null
  readonly send: (target: ChannelTarget, message: Message) => Effect.Effect<SendResult>
}>("@agent-marketplace/core/notifications/Notifier", {
  defaultValue: () => ({
    kinds: new Set(),
    pushKey: null,
    send: () =>
      Effect.succeed({ _tag: "Failed", problem: "this market sends no notifications", retryAfterMillis: null })
  })
})

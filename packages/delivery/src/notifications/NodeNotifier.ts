import type { Message } from "@agent-marketplace/core/notifications/Message"
import type { ChannelKind, ChannelTarget } from "@agent-marketplace/core/notifications/NotificationChannel"
import type { SendResult } from "@agent-marketplace/core/notifications/Notifier"
import { Notifier } from "@agent-marketplace/core/notifications/Notifier"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { SendOutcome, SendRequest } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { Effect, Layer } from "effect"
import { chatBody } from "./chatRequest.ts"
import type { PushOptions } from "./pushRequest.ts"
import { publicKeyOf, pushRequest } from "./pushRequest.ts"
import type { SmtpOptions } from "./smtpMailer.ts"
import { smtpMailer } from "./smtpMailer.ts"

export interface NotifierOptions {
  /** Undefined: e-mail channels are refused (NOTIFY-9). */
  readonly smtp?: SmtpOptions | undefined
  readonly push: PushOptions
}

const timeoutMs = 15_000

const seconds = (header: string | null): number | null =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) * Timestamp.second : null

const gone = [404, 410]

/** What a response means. Its text is never shown. */
const resultOf = (outcome: SendOutcome): SendResult => {
  if (outcome._tag === "Failed") return { _tag: "Failed", problem: outcome.error, retryAfterMillis: null }
  const { retryAfter, statusCode } = outcome
  const problem = `the receiver responded with HTTP ${statusCode}`
  if (statusCode >= 200 && statusCode < 300) return { _tag: "Sent" }
  return gone.includes(statusCode)
    ? { _tag: "Gone", problem }
    : { _tag: "Failed", problem, retryAfterMillis: seconds(retryAfter) }
}

const noMail: SendResult = {
  _tag: "Failed",
  problem: "this market sends no e-mail at present",
  retryAfterMillis: null
}

const badKey: SendResult = { _tag: "Refused", problem: "the browser's key is not valid: subscribe again" }

/** Sends e-mail over SMTP, push messages and chat messages over the transport of webhooks, which refuses private addresses (NOTIFY-9). */
export const NodeNotifier = {
  layer: ({ push, smtp }: NotifierOptions): Layer.Layer<never, never, WebhookTransport> =>
    Layer.effect(
      Notifier,
      Effect.map(WebhookTransport, (transport) => {
        const mail = smtp === undefined ? undefined : smtpMailer(smtp)
        const kinds = new Set<ChannelKind>(["push", "slack", "telegram", "discord"])
        if (mail !== undefined) kinds.add("email")

        const post = (request: Omit<SendRequest, "timeoutMs">) =>
          Effect.map(transport.send({ ...request, timeoutMs }), resultOf)

        const sendPush = (target: Extract<ChannelTarget, { readonly kind: "push" }>, message: Message) =>
          Effect.matchEffect(
            Effect.tryPromise(() => pushRequest(target, message, push)),
            { onSuccess: post, onFailure: () => Effect.succeed(badKey) }
          )

        return {
          kinds,
          pushKey: publicKeyOf(push.privateKey),
          send: (target, message) => {
            switch (target.kind) {
              case "email":
                return mail === undefined ? Effect.succeed(noMail) : mail(target.address, message)
              case "push":
                return sendPush(target, message)
              default:
                return post({
                  url: target.url,
                  headers: { "content-type": "application/json" },
                  body: chatBody(target, message)
                })
            }
          }
        }
      })
    )
}

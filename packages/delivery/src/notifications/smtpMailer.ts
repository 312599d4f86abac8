import type { Message } from "@agent-marketplace/core/notifications/Message"
import { plainTextOf } from "@agent-marketplace/core/notifications/Message"
import type { SendResult } from "@agent-marketplace/core/notifications/Notifier"
import { Effect, Redacted } from "effect"
import type { Transporter } from "nodemailer"

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the user name and password. */
  readonly url: Redacted.Redacted
  /** The sender: an address, or a name and an address in angle brackets. */
  readonly from: string
}

/** The time limits of a connection and of the whole message, in milliseconds. */
const timeouts = { connectionTimeout: 8000, greetingTimeout: 8000, socketTimeout: 10_000, dnsTimeout: 5000 }
const sendTimeout = "18 seconds"

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
}

/** A permanent refusal of the recipient or of the message. All other errors may pass: they are also those of our own settings. */
const refuses = ({ code, responseCode }: SmtpError): boolean =>
  (code === "EENVELOPE" || code === "EMESSAGE") && typeof responseCode === "number" && responseCode >= 500

/** Never the text of the server, which may repeat addresses and more. */
const resultOf = (error: unknown): SendResult => {
  const fault: SmtpError = typeof error === "object" && error !== null ? error : {}
  const status = typeof fault.responseCode === "number" ? ` (${fault.responseCode})` : ""
  return refuses(fault)
    ? { _tag: "Refused", problem: `the mail server refused the message${status}` }
    : { _tag: "Failed", problem: `the mail server could not take the message${status}`, retryAfterMillis: null }
}

/** Ends a header early for no text: `Message` has no control characters, and nodemailer encodes what is not ASCII. */
const headersOf = ({ unsubscribeUrl }: Message): Record<string, string> =>
  unsubscribeUrl === null
    ? {}
    : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }

const domainOf = (from: string): string => /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? "localhost"

/** Sends e-mail as plain text. The module is loaded with the first message. */
export const smtpMailer = ({ from, url }: SmtpOptions) => {
  let transport: Promise<Transporter> | undefined
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import("nodemailer")
    return createTransport({
      url: Redacted.value(url),
      ...timeouts,
      disableFileAccess: true,
      disableUrlAccess: true
    } as never)
  }
  const post = async (address: string, message: Message): Promise<void> => {
    transport ??= open()
    const opened = await transport
    await opened.sendMail({
      from,
      to: { name: "", address },
      subject: message.title,
      text: plainTextOf(message),
      messageId: `<${message.id}@${domainOf(from)}>`,
      headers: { ...headersOf(message), "Auto-Submitted": "auto-generated" }
    })
  }
  return (address: string, message: Message): Effect.Effect<SendResult> =>
    Effect.tryPromise({ try: () => post(address, message), catch: resultOf }).pipe(
      Effect.match({ onSuccess: (): SendResult => ({ _tag: "Sent" }), onFailure: (result) => result }),
      Effect.timeoutOrElse({
        duration: sendTimeout,
        orElse: () =>
          Effect.succeed<SendResult>({
            _tag: "Failed",
            problem: "the mail server took too long",
            retryAfterMillis: null
          })
      })
    )
}

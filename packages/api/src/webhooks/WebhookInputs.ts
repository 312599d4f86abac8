import { choice } from "@agent-marketplace/core/fields/InputRules"
import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import { WebhookSecret } from "@agent-marketplace/core/webhooks/WebhookSecret"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { instant, optional } from "../wire/Input.ts"

const maxUrl = 2048

/** The URL parser accepts blanks, control characters, backslashes and unpaired surrogates; a URL that is stored and shown must have none. */
const isPlain = (value: string): boolean => !/[\s\\\p{Cc}\p{Cs}]/u.test(value)

const url = Schema.String.annotate({ message: "must be a string" })
  .check(
    Schema.makeFilter(
      (value) => {
        if (value.length > maxUrl) return `must be at most ${maxUrl} characters`
        return isPlain(value) && URL.canParse(value) ? undefined : "must be a valid URL"
      },
      { toJsonSchema: () => ({ format: "uri", maxLength: maxUrl }) }
    )
  )
  .annotateKey({ messageMissingKey: "is required" })

const events = Schema.Array(choice(["*", ...webhookEvents]))
  .annotate({ message: "must be a list" })
  .check(
    Schema.makeFilter((names) => (names.length === 0 ? "must name at least one event" : undefined), {
      toJsonSchema: () => ({ minItems: 1 })
    })
  )
  .annotateKey({ messageMissingKey: "is required" })

const secret = Schema.String.annotate({ message: "must be a string" }).check(
  Schema.makeFilter((value) => WebhookSecret.problem(value), {
    toJsonSchema: () => ({ minLength: WebhookSecret.minLength, maxLength: WebhookSecret.maxLength })
  })
)

const example = {
  url: "https://example.com/hooks/market",
  events: ["purchase.completed", "purchase.refunded"]
} as const

const descriptions = {
  url: "Where events are sent: an HTTPS URL that does not point to a private or reserved address.",
  events: 'Which events to send; `["*"]` means all of them, including events that are added later.'
} as const

/** The body that creates a subscription to events (WEBHOOK-1, WEBHOOK-2). */
export const WebhookInput = Schema.Struct({
  url: field(url, descriptions.url, example.url),
  events: field(events, descriptions.events, example.events),
  secret: field(
    optional(secret),
    "The secret that signs deliveries: 16 to 256 characters; after `whsec_`, base64. If absent, one is generated and shown only in this response.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  )
})
  .annotate({ identifier: "WebhookInput", description: "A subscription to create." })
  .pipe(withBodyRule("webhook"))

export const WebhookPatch = Schema.Struct({
  url: field(optional(url), descriptions.url, example.url),
  events: field(optional(events), descriptions.events, example.events),
  status: field(
    optional(choice(["active", "disabled"])),
    "`disabled` stops deliveries; `active` resumes them. Events in between can be recovered.",
    "active"
  )
})
  .annotate({ identifier: "WebhookPatch", description: "The fields to change; absent fields keep their values." })
  .pipe(withBodyRule("webhook"))

export const RecoverInput = Schema.Struct({
  since: field(
    instant.annotateKey({ messageMissingKey: "is required" }),
    "Undelivered events at or after this time are sent again: an ISO 8601 instant.",
    "2025-01-15T12:00:00.000Z"
  )
}).annotate({ identifier: "RecoverInput", description: "The time from which to send again." })

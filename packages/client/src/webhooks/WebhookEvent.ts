import type { WebhookData } from "../wire/Endpoints.ts"

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

import { Context } from "effect"

/** How much one worker sends and holds concurrently. */
export interface SendLimits {
  /** Concurrent requests. */
  readonly sends: number
  readonly sendsPerWebhook: number
  readonly sendsPerHost: number
  /** Claimed deliveries, in flight or queued. The limits of a subscription and of a host apply to all workers together. */
  readonly held: number
  readonly heldPerWebhook: number
  readonly heldPerHost: number
}

/** A receiver that does not respond occupies `sendsPerWebhook` sends for 15 s, but only once: then its circuit is open. */
export const SendLimits = Context.Reference<SendLimits>("@agent-marketplace/core/webhooks/SendLimits", {
  defaultValue: () => ({
    sends: 512,
    sendsPerWebhook: 16,
    sendsPerHost: 32,
    held: 2048,
    heldPerWebhook: 128,
    heldPerHost: 256
  })
})

/** The time limit of a request (DELIVERY-6). */
export const sendTimeout = 15_000

/** The duration of a claim. After that, another worker sends what a killed worker had claimed. */
export const claimSeconds = 30

/** The maximum time in the queue before a delivery is given back: a send that starts later could outlive its claim. */
export const maxQueueTime = 10_000

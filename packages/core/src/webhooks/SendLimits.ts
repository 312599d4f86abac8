import { Context } from "effect"

/** How much one worker sends and holds at once. */
export interface SendLimits {
  /** Requests on their way. */
  readonly sends: number
  readonly sendsPerWebhook: number
  readonly sendsPerHost: number
  /** Deliveries held, on their way or in line; the window of a subscription and of a host counts over all workers. */
  readonly held: number
  readonly heldPerWebhook: number
  readonly heldPerHost: number
}

/** A hanging receiver takes `sendsPerWebhook` sends, for 15 s and once: then its circuit is open. */
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

/** A request is given up after so long (DELIVERY-6). */
export const sendTimeout = 15_000

/** How long a claim holds: what a killed worker held is sent by another one after so many seconds. */
export const claimSeconds = 30

/** What has waited in line for so long is given back: a send that began later could outlive its claim. */
export const longestInLine = 10_000

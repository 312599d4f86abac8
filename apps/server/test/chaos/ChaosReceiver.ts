import { answers, dribbles, hangs, resets, startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Behaviour, Received, Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { assert } from "vitest"

const failures: ReadonlyArray<Behaviour> = [answers(500), answers(429), dribbles("head"), hangs, resets]

/** A receiver of webhooks that fails from time to time. */
export class ChaosReceiver {
  readonly #receiver: Receiver
  readonly #accepted: ReadonlyArray<Received>
  readonly #state: { failure: Behaviour | undefined }
  #turn = 0

  constructor(receiver: Receiver, accepted: ReadonlyArray<Received>, state: { failure: Behaviour | undefined }) {
    this.#receiver = receiver
    this.#accepted = accepted
    this.#state = state
  }

  static async start(): Promise<ChaosReceiver> {
    const accepted: Array<Received> = []
    const state: { failure: Behaviour | undefined } = { failure: undefined }
    const receiver = await startReceiver((response, request) => {
      // The request that was read last is this one.
      const last = receiver.received.at(-1)
      if (state.failure !== undefined || last === undefined) return state.failure?.(response, request)
      accepted.push(last)
      answers(200)(response, request)
    })
    return new ChaosReceiver(receiver, accepted, state)
  }

  get url(): string {
    return this.#receiver.url
  }

  /** Fails in the next way, until `recover`. */
  fail(): void {
    this.#state.failure = failures[this.#turn++ % failures.length]
  }

  recover(): void {
    this.#state.failure = undefined
  }

  /** Whether each of these purchases was announced. Asserts that the repetitions of a delivery have its id. */
  hasDelivered(purchases: ReadonlyArray<string>): boolean {
    const ids = new Map<string, string>()
    for (const { body, headers } of this.#accepted) {
      const { data } = JSON.parse(body) as { readonly data: { readonly purchaseId: string } }
      const id = String(headers["webhook-id"])
      assert.strictEqual(ids.get(data.purchaseId) ?? id, id, `two events for ${data.purchaseId}`)
      ids.set(data.purchaseId, id)
    }
    return purchases.every((purchase) => ids.has(purchase))
  }

  close(): Promise<void> {
    return this.#receiver.close()
  }
}

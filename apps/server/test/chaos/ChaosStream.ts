import { openStream } from "@agent-marketplace/fixtures/live/openStream"
import type { OpenStream } from "@agent-marketplace/fixtures/live/openStream"
import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import { waitFor } from "../fixtures/waitFor.ts"

/** A reader of an account's events that continues after its last message whenever its stream ends. */
export class ChaosStream {
  readonly #key: string
  readonly #urls: () => string
  readonly #ids: Array<string> = []
  /** The purchases that the stream reported. */
  readonly #purchases: Array<string> = []
  /** Statuses that refuse the stream. */
  readonly #refusals: Array<number> = []
  #first: string | undefined
  #last: string | undefined
  #current: OpenStream | undefined
  #over = false
  #life: Promise<void> | undefined
  connections = 0

  constructor(key: string, urls: () => string) {
    this.#key = key
    this.#urls = urls
  }

  /** Resolves when it knows where it starts. */
  async start(): Promise<void> {
    this.#life = this.#read()
    await waitFor("the stream has a position", async () => this.#first !== undefined)
  }

  async #read(): Promise<void> {
    while (!this.#over) {
      await this.#connect().catch(() => setTimeout(100))
    }
  }

  async #connect(): Promise<void> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(this.#last === undefined ? {} : { "last-event-id": this.#last })
    }
    const stream = await openStream(`${this.#urls()}/api/v1/events/stream`, { headers })
    this.#current = stream
    if (stream.response.status !== 200) {
      if (stream.response.status < 500) this.#refusals.push(stream.response.status)
      stream.close()
      return void (await setTimeout(100))
    }
    this.connections += 1
    let taken = 0
    const take = () => {
      for (; taken < stream.messages.length; taken++) {
        const message = stream.messages[taken]
        this.#ids.push(message?.id ?? "")
        if (message?.event === "purchase.completed") this.#purchases.push(String(message.data.data.purchaseId))
      }
      this.#last = stream.lastId() ?? this.#last
      this.#first ??= this.#last
    }
    const poll = setInterval(take, 50)
    await stream.ended
    clearInterval(poll)
    take()
  }

  /** Ends the present connection. */
  reconnect(): void {
    this.#current?.close()
  }

  /** Waits until it has received these purchases, and asserts that a stream from the start on has the same messages in the same order (LIVE-2). */
  async assertWhole(baseUrl: string, purchases: ReadonlyArray<string>): Promise<void> {
    assert.deepStrictEqual(this.#refusals, [])
    await waitFor(
      "the stream has announced every purchase",
      async () => purchases.every((id) => this.#purchases.includes(id)),
      120_000
    )
    const replay = await openStream(`${baseUrl}/api/v1/events/stream?after=${this.#first}`, {
      headers: { authorization: `Bearer ${this.#key}` }
    })
    try {
      const ids = () => replay.messages.map(({ id }) => id ?? "")
      await waitFor("both streams are at the same event", async () => ids().at(-1) === this.#ids.at(-1), 120_000)
      assert.deepStrictEqual(this.#ids, ids())
      assert.strictEqual(new Set(this.#ids).size, this.#ids.length, "an event was sent twice")
      assert.strictEqual(new Set(this.#purchases).size, this.#purchases.length, "a purchase was announced twice")
    } finally {
      replay.close()
    }
  }

  async close(): Promise<void> {
    this.#over = true
    this.#current?.close()
    await this.#life
  }
}

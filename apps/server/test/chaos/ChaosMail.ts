import { startMailServer } from "@agent-marketplace/fixtures/notifications/startMailServer"
import type { ReceivedMail } from "@agent-marketplace/fixtures/notifications/startMailServer"
import { assert } from "vitest"
import { startFaultyProxy } from "../fixtures/FaultyProxy.ts"
import type { FaultyProxy } from "../fixtures/FaultyProxy.ts"
import { dataOf, makePatientClient } from "../fixtures/Client.ts"
import type { Member } from "../fixtures/Market.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const sender = "market@shop.example"
const depositPattern = /^A deposit of ([\d.]+) USDT has arrived\.\r?$/gm

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** An SMTP server that refuses messages for a while, answers slowly, or cannot be reached. */
export class ChaosMail {
  readonly #proxy: FaultyProxy
  readonly #server: MailServer
  readonly #port: number
  readonly #accepted: ReadonlyArray<ReceivedMail>
  readonly #state: { refuses: boolean }

  constructor(
    proxy: FaultyProxy,
    server: MailServer,
    accepted: ReadonlyArray<ReceivedMail>,
    state: { refuses: boolean }
  ) {
    this.#proxy = proxy
    this.#server = server
    this.#port = proxy.target
    this.#accepted = accepted
    this.#state = state
  }

  static async start(): Promise<ChaosMail> {
    const state = { refuses: false }
    const accepted: Array<ReceivedMail> = []
    const server = await startMailServer((mail) => {
      if (state.refuses) return { code: 451 }
      accepted.push(mail)
      return undefined
    })
    const proxy = await startFaultyProxy()
    proxy.target = Number(new URL(server.url).port)
    return new ChaosMail(proxy, server, accepted, state)
  }

  get environment(): Readonly<Record<string, string>> {
    const url = new URL(this.#server.url)
    url.port = String(this.#proxy.port)
    return { SMTP_URL: url.href, SMTP_FROM: sender }
  }

  /** Adds a confirmed channel for a member. */
  async subscribe(baseUrl: string, member: Member, address: string): Promise<void> {
    const on = makePatientClient(baseUrl, member.key)
    const channels = "/api/v1/account/notifications/channels"
    const { id } = dataOf<{ id: string }>(await on.post(channels, { kind: "email", address }), 201)
    const code = await waitFor("the confirmation code", async () => {
      const mail = this.#accepted.find(({ to }) => to.includes(address))
      return /code is (\w{8})\./.exec(mail?.text ?? "")?.[1]
    })
    dataOf(await on.post(`${channels}/${id}/verify`, { code }))
  }

  refuse(): void {
    this.#state.refuses = true
  }

  /** Every chunk is late by this many milliseconds. */
  delay(milliseconds: number): void {
    this.#proxy.delay = milliseconds
  }

  /** Connections are reset, and new ones are refused. */
  disconnect(): void {
    this.#proxy.target = 0
    this.#proxy.cut()
  }

  recover(): void {
    this.#state.refuses = false
    this.#proxy.delay = 0
    this.#proxy.target = this.#port
  }

  /**
   * Whether each of these deposits was announced to the address. Asserts that none is in two messages: one that was sent again has the same
   * `Message-ID` and text (NOTIFY-5, NOTIFY-6).
   */
  hasAnnounced(address: string, amounts: ReadonlyArray<string>): boolean {
    const messages = new Map<string, string>()
    for (const { header, text, to } of this.#accepted) {
      const id = header("Message-ID")
      if (!to.includes(address) || id === undefined) continue
      assert.strictEqual(messages.get(id) ?? text, text, `two texts of the message ${id}`)
      messages.set(id, text)
    }
    const announced = [...messages.values()].flatMap((text) =>
      [...text.matchAll(depositPattern)].map(([, amount = ""]) => amount)
    )
    const twice = announced.filter((amount, i) => announced.indexOf(amount) !== i)
    assert.deepStrictEqual(twice, [], `deposits that were announced to ${address} twice`)
    const known = new Set(amounts)
    assert.deepStrictEqual(
      announced.filter((amount) => !known.has(amount)),
      [],
      `deposits that were announced to ${address} and never credited`
    )
    return announced.length === known.size
  }

  /** How many messages arrived again. */
  get repetitions(): number {
    const ids = this.#accepted.map(({ header }) => header("Message-ID"))
    return ids.length - new Set(ids).size
  }

  async close(): Promise<void> {
    await this.#proxy.close()
    await this.#server.close()
  }
}

import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import type { Client } from "../fixtures/Client.ts"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import type { IssuedKey, Member } from "../fixtures/Market.ts"
import { adminToken } from "../fixtures/startServer.ts"
import type { RestartingServer } from "./ChaosProcesses.ts"

const account = "/api/v1/account"

/** The status, or undefined without a response. */
const statusOf = (client: Client): Promise<number | undefined> =>
  client.get(account).then(
    ({ status }) => status,
    () => undefined
  )

/** When a new link expires: a fixed time after the market's present. Undefined without a response. */
const expiryBy = async (client: Client): Promise<number | undefined> => {
  const reply = await client.post("/api/v1/sessions/links", {}).catch(() => undefined)
  return reply?.status === 201 ? Date.parse(dataOf<{ expiresAt: string }>(reply, 201).expiresAt) : undefined
}

/** Deactivates keys and moves the market's time, and asserts that no process answers as before. */
export class ChaosWitness {
  readonly #servers: ReadonlyArray<RestartingServer>
  readonly #member: Member
  #turn = 0
  /** Deactivations that were confirmed, and the refusals that servers sent after them. */
  revocations = 0
  answersAfterwards = 0
  /** Times at which a woken process was compared with the moved time. */
  times = 0

  constructor(servers: ReadonlyArray<RestartingServer>, member: Member) {
    this.#servers = servers
    this.#member = member
  }

  #client(server: RestartingServer | undefined, key: string): Client {
    return makeClient(server?.baseUrl() ?? "http://127.0.0.1:0", key)
  }

  /** A new key, which all servers have seen if they answer; undefined without a response. */
  async #knownKey(on: Client): Promise<IssuedKey | undefined> {
    const reply = await on.post("/api/v1/keys", { name: "witness", scope: "BUYER" }).catch(() => undefined)
    if (reply?.status !== 201) return undefined
    const key = dataOf<IssuedKey>(reply, 201)
    await Promise.all(this.#servers.map((server) => statusOf(this.#client(server, key.key))))
    return key
  }

  async #revoke(on: Client, { id }: IssuedKey): Promise<boolean> {
    const reply = await on.delete(`/api/v1/keys/${id}`).catch(() => undefined)
    if (reply?.status !== 200) return false
    this.revocations += 1
    return true
  }

  #assertRefused(statuses: ReadonlyArray<number | undefined>, circumstances = ""): void {
    for (const status of statuses)
      assert.notStrictEqual(status, 200, `a deactivated key was accepted (KEY-6) ${circumstances}`)
    this.answersAfterwards += statuses.filter((status) => status === 401).length
  }

  /** Deactivates one key after the other, and sends a request to every server immediately afterwards. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await setTimeout(3000)
      const on = this.#client(this.#servers[this.#turn++ % this.#servers.length], this.#member.key)
      const key = await this.#knownKey(on)
      if (key === undefined || !(await this.#revoke(on, key))) continue
      const asked = this.#servers.map((server) => statusOf(this.#client(server, key.key)))
      this.#assertRefused(await Promise.all(asked))
    }
  }

  /**
   * While a server is frozen, a key is deactivated and the market's time moves. Requests that waited in its sockets are answered with neither
   * (DATABASE-6).
   */
  async freeze(index: number, milliseconds: number): Promise<void> {
    const [frozen, awake] = [this.#servers[index], this.#servers[(index + 1) % this.#servers.length]]
    if (frozen === undefined) return
    const on = this.#client(awake, this.#member.key)
    const key = await this.#knownKey(on)
    const lives = frozen.ends()
    const began = performance.now()
    const history: Array<string> = []
    const note = (what: unknown) => history.push(`${Math.round(performance.now() - began)} ms ${String(what)}`)
    const { revoked, statuses, expiries, moved } = await frozen.frozen(async () => {
      const stale = this.#client(frozen, key?.key ?? "")
      const waiting = this.#client(frozen, this.#member.key)
      const statuses = Array.from({ length: 4 }, async () => {
        const status = await statusOf(stale)
        note(status)
        return status
      })
      const expiries = Array.from({ length: 2 }, () => expiryBy(waiting))
      const revoked = key !== undefined && (await this.#revoke(on, key))
      note("deactivated")
      const clock = makeClient(awake?.baseUrl() ?? "", adminToken)
      const reply = await clock.post("/api/v1/admin/clock", { advanceSeconds: 120 }).catch(() => undefined)
      const moved = reply?.status === 200 ? await expiryBy(on) : undefined
      await setTimeout(Math.max(0, milliseconds - (performance.now() - began)))
      note("woken")
      return { revoked, statuses, expiries, moved }
    })
    const answered = await Promise.all(statuses)
    const shown = await Promise.all(expiries)
    // A process that could not be stopped answered before the key was deactivated.
    if (frozen.ends() !== lives) return
    if (revoked) this.#assertRefused(answered, history.join(", "))
    if (moved === undefined) return
    for (const expiry of shown) {
      if (expiry === undefined) continue
      this.times += 1
      assert.isAtLeast(expiry, moved, "a woken process answered with the time before it was frozen (DATABASE-6)")
    }
  }
}

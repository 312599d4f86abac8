import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { waitFor } from "../fixtures/waitFor.ts"

/** Why no Redis can be started here; undefined where one can. */
export const noRedis: string | undefined =
  spawnSync("redis-server", ["--version"]).status === 0 ? undefined : "redis-server is not installed"

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"))
    socket.once("data", () => (socket.destroy(), resolve(true)))
    socket.once("error", () => resolve(false))
  })

/** A Redis without persistence that is killed and starts again, empty, at the same address. */
export class ChaosRedis {
  readonly #port: number
  #process: ChildProcess | undefined

  constructor(port: number) {
    this.#port = port
  }

  static async start(): Promise<ChaosRedis> {
    const redis = new ChaosRedis(await Effect.runPromise(freePort("127.0.0.1")))
    await redis.run()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`
  }

  async run(): Promise<void> {
    const args = ["--port", String(this.#port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    const child = spawn("redis-server", args, { stdio: "ignore" })
    running.add(child.once("exit", () => running.delete(child)))
    this.#process = child
    await waitFor("Redis answers", async () => (await answers(this.#port)) || undefined)
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }

  /** Accepts connections and answers nothing. */
  freeze(): void {
    this.#process?.kill("SIGSTOP")
  }

  thaw(): void {
    this.#process?.kill("SIGCONT")
  }

  async close(): Promise<void> {
    await this.kill()
  }
}

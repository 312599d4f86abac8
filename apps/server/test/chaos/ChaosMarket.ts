import { waitFor } from "../fixtures/waitFor.ts"
import type { RestartingProcess, RestartingServer } from "./ChaosProcesses.ts"
import { restartingServer, restartingWorker } from "./ChaosProcesses.ts"

type Environment = Readonly<Record<string, string>>

/** The processes of one market, which are started again whenever they end. */
export class ChaosMarket {
  readonly servers: ReadonlyArray<RestartingServer>
  readonly workers: ReadonlyArray<RestartingProcess>
  #turn = 0

  constructor(count: number, env: { readonly server: Environment; readonly worker: Environment }) {
    const numbers = Array.from({ length: count })
    this.servers = numbers.map(() => restartingServer(env.server))
    this.workers = numbers.map(() => restartingWorker(env.worker))
  }

  get processes(): ReadonlyArray<RestartingProcess> {
    return [...this.servers, ...this.workers]
  }

  /** The address of another server with each call, whether it answers or not. */
  readonly url = (): string => this.servers[this.#turn++ % this.servers.length]?.baseUrl() ?? "http://127.0.0.1:0"

  /** The address of a server that is ready, once all of them are. */
  async ready(): Promise<string> {
    const isReady = async ({ baseUrl }: RestartingServer) =>
      (await fetch(`${baseUrl()}/readyz`).catch(() => undefined))?.status === 200
    await waitFor(
      "all servers are ready",
      async () => (await Promise.all(this.servers.map(isReady))).every((ready) => ready),
      180_000
    ).catch((cause: unknown) => {
      throw new Error(this.servers.map((server) => server.output()).join("\n"), { cause })
    })
    return this.url()
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.close()))
  }
}

import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startFaultyProxy } from "../fixtures/FaultyProxy.ts"
import type { FaultyProxy } from "../fixtures/FaultyProxy.ts"

const program = fileURLToPath(new URL("../../../../packages/blobs/test/fixtures/s3Server.ts", import.meta.url))

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const listening = async (server: Server): Promise<Server> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

/** A storage of blobs that speaks S3 and is overloaded, silent, slow or cut off for a while. */
export class ChaosBlobs {
  readonly #folder: string
  readonly #storage: ChildProcess
  readonly #port: number
  readonly #proxy: FaultyProxy
  readonly #overloaded: Server
  readonly #silent: Server

  private constructor(parts: {
    readonly folder: string
    readonly storage: ChildProcess
    readonly proxy: FaultyProxy
    readonly overloaded: Server
    readonly silent: Server
  }) {
    this.#folder = parts.folder
    this.#storage = parts.storage
    this.#port = parts.proxy.target
    this.#proxy = parts.proxy
    this.#overloaded = parts.overloaded
    this.#silent = parts.silent
  }

  static async start(): Promise<ChaosBlobs> {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-chaos-blobs-"))
    const storage = spawn(process.execPath, [program, folder, "market"], { stdio: ["ignore", "pipe", "ignore"] })
    process.once("exit", () => storage.kill("SIGKILL"))
    const [line] = (await once(storage.stdout, "data")) as [Buffer]
    const proxy = await startFaultyProxy()
    proxy.target = Number(line.toString().trim())
    const overloaded = await listening(
      createServer((_, response) =>
        response.writeHead(503, { connection: "close" }).end("<Error><Code>SlowDown</Code></Error>")
      )
    )
    return new ChaosBlobs({ folder, storage, proxy, overloaded, silent: await listening(createServer(() => {})) })
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      BLOBS: "s3",
      S3_BUCKET: "market",
      S3_PREFIX: "blobs/",
      S3_ENDPOINT: `http://127.0.0.1:${this.#proxy.port}`,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER"
    }
  }

  /** Every request is answered with 503 SlowDown. */
  refuse(): void {
    this.#proxy.target = portOf(this.#overloaded)
    this.#proxy.cut()
  }

  /** No request is answered. */
  stall(): void {
    this.#proxy.target = portOf(this.#silent)
    this.#proxy.cut()
  }

  /** Resets every connection, also in the middle of a body. */
  cut(): void {
    this.#proxy.cut()
  }

  recover(): void {
    this.#proxy.target = this.#port
    this.#proxy.cut()
  }

  async close(): Promise<void> {
    await this.#proxy.close()
    for (const server of [this.#overloaded, this.#silent]) {
      server.close()
      server.closeAllConnections()
    }
    this.#storage.kill("SIGKILL")
    await rm(this.#folder, { recursive: true, force: true })
  }
}

import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { once } from "node:events"

/** What stands between a client and the database: all, nothing at all (refused), or connections on which nobody speaks. */
export type Line = "open" | "closed" | "silent"

export interface SwitchableProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** Cuts every connection that there is; those to come are treated in the new way. */
  readonly turn: (line: Line) => void
  readonly close: () => Promise<void>
}

/** A line to a PostgreSQL that can be cut. */
export const switchableProxy = async (target: string): Promise<SwitchableProxy> => {
  const database = new URL(target)
  const sockets = new Set<Socket>()
  let line: Line = "open"
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy())
  }
  const server = createServer((client) => {
    track(client)
    if (line === "closed") return void client.destroy()
    if (line === "silent") return void client.resume()
    const upstream = connect(Number(database.port), database.hostname)
    track(upstream)
    client.pipe(upstream)
    upstream.pipe(client)
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => client.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    turn: (next) => {
      line = next
      cut()
    },
    close: async () => {
      server.close()
      cut()
      await once(server, "close")
    }
  }
}

import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { once } from "node:events"

/** The state of the path between a client and the database: open, refusing connections, or accepting connections without ever responding. */
export type Line = "open" | "closed" | "silent"

export interface SwitchableProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** Cuts every existing connection; new ones are treated according to the new state. */
  readonly turn: (line: Line) => void
  readonly close: () => Promise<void>
}

/** A TCP proxy in front of PostgreSQL that can be cut. */
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

import { once } from "node:events"
import type { Server } from "node:http"
import { createServer } from "node:net"
import type { AddressInfo, ListenOptions, Server as Listener } from "node:net"

/**
 * How many sockets listen on the port: as many as may at least be in progress (LOAD-1). Node accepts one connection for each of them in a turn
 * of the event loop. With a single one and turns of 50 ms, a process would accept 20 connections a second, and all others would wait in the
 * kernel, where no limit sees them (LOAD-10).
 */
const listenerCount = 64

/** How many connections wait in the kernel for each of them. */
const backlog = 64

/** Whether the system distributes connections among sockets on one port. */
export const distributesConnections = process.platform === "linux"

const startListening = (listener: Listener, options: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    listener.once("error", reject)
    listener.listen(options, () => {
      listener.off("error", reject)
      resolve()
    })
  })

/** Fails if another program listens on the port. Sockets that share a port would not notice one that shares it too. */
const assertFree = async (options: ListenOptions): Promise<void> => {
  const probe = createServer()
  await startListening(probe, { ...options, exclusive: true })
  probe.close()
  await once(probe, "close")
}

/** One more socket on the port. Its connections are those of `server`, whose options it has and which keeps a list of them once it listens. */
const addListener = async (server: Server, options: ListenOptions): Promise<Listener> => {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.listening ? server.emit("connection", socket) : socket.destroy()
  )
  await startListening(listener, options)
  listener.on("error", (error) => server.emit("error", error))
  return listener
}

/**
 * Makes a server that is started with `listen({ port, host })` listen with several sockets, and returns the array of the additional ones, which
 * the caller closes. Only Linux distributes connections among them; elsewhere the server has one socket. With `reusePort` the
 * port is shared with other processes of the user. Without, a port that is in use is an error.
 */
export const acceptSeveral = (server: Server): ReadonlyArray<Listener> => {
  const listeners: Array<Listener> = []
  const listen = server.listen.bind(server) as (...args: ReadonlyArray<unknown>) => Server

  const open = async (options: ListenOptions, listening: () => void): Promise<void> => {
    const { reusePort = false, ...own } = options
    // The kernel chooses a port that nobody else uses.
    if (own.port !== 0 && !reusePort) await assertFree(own)
    const first = await addListener(server, { ...own, backlog, reusePort: true }).catch(() => undefined)
    if (first === undefined) return void listen(own, listening)
    listeners.push(first)
    const { address, port } = first.address() as AddressInfo
    const same = { ...own, host: address, port, backlog, reusePort: true }
    await new Promise<void>((resolve) => listen(same, resolve))
    const others = Array.from({ length: listenerCount - 2 }, () => addListener(server, same))
    listeners.push(...(await Promise.all(others)))
    listening()
  }

  server.listen = (...args: ReadonlyArray<unknown>) => {
    const [options, listening = () => {}] = args as [unknown, (() => void)?]
    if (typeof options !== "object" || options === null) return listen(...args)
    if (!distributesConnections) return listen({ ...options, reusePort: false }, listening)
    open(options, listening).catch((error: unknown) => {
      for (const listener of listeners.splice(0)) listener.close()
      server.emit("error", error)
    })
    return server
  }
  return listeners
}

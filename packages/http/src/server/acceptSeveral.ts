import { once } from "node:events"
import type { Server } from "node:http"
import { createServer } from "node:net"
import type { AddressInfo, ListenOptions, Server as Listener } from "node:net"

/**
 * The number of sockets that listen on the port, which is also the floor of the requests in progress (LOAD-1). Node accepts one connection for
 * each of them in a turn of the event loop. With a single one and turns of 50 ms, a process would accept 20 connections a second, and all
 * others would wait in the kernel, where no limit sees them (LOAD-10).
 */
const listenerCount = 64

/** The most connections that wait in the kernel for each socket. */
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

/** Fails if another program listens on the port. With `reusePort`, listening succeeds also if another program shares the port. */
const assertFree = async (options: ListenOptions): Promise<void> => {
  const probe = createServer()
  await startListening(probe, { ...options, exclusive: true })
  probe.close()
  await once(probe, "close")
}

/** The additional sockets of a server. */
interface Listeners {
  readonly all: ReadonlyArray<Listener>
  /** Ends also an opening that is in progress. */
  readonly stop: () => void
}

/** Resolves to whether the server listens. If not, it has emitted the error itself. */
const isListening = (server: Server, listen: (listening: () => void) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const failed = () => resolve(false)
    server.once("error", failed)
    listen(() => {
      server.off("error", failed)
      resolve(true)
    })
  })

/**
 * Makes a server that is started with `listen({ port, host })` listen with several sockets, and returns the additional ones, which
 * the caller closes. Only Linux distributes connections among them; elsewhere the server has one socket. With `reusePort` the
 * port is shared with other processes of the user. Without, a port that is in use is an error. If a socket cannot be opened, none stays open.
 */
export const acceptSeveral = (server: Server): Listeners => {
  const listeners: Array<Listener> = []
  const [listen, close] = [
    server.listen.bind(server) as (...args: ReadonlyArray<unknown>) => Server,
    server.close.bind(server)
  ]
  let isStopped = false

  /** Opens one more socket on the port. The server, whose options it has, keeps the list of its connections. */
  const addListener = async (options: ListenOptions): Promise<Listener> => {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.listening ? server.emit("connection", socket) : socket.destroy()
    )
    await startListening(listener, options)
    listener.on("error", (error) => server.emit("error", error))
    listeners.push(listener)
    if (isStopped) listener.close()
    return listener
  }

  const closeAll = (): void => {
    for (const listener of listeners.splice(0)) listener.close()
    if (server.listening) close()
  }

  const open = async (options: ListenOptions, listening: () => void): Promise<void> => {
    const { reusePort = false, ...own } = options
    // For port 0 the kernel chooses a free port.
    if (own.port !== 0 && !reusePort) await assertFree(own)
    if (isStopped) return
    const first = await addListener({ ...own, backlog, reusePort: true }).catch(() => undefined)
    if (isStopped) return
    if (first === undefined) return void listen(own, listening)
    const { address, port } = first.address() as AddressInfo
    const same = { ...own, host: address, port, backlog, reusePort: true }
    const isOpen = await isListening(server, (done) => listen(same, done))
    if (!isOpen || isStopped) return closeAll()
    const others = Array.from({ length: listenerCount - 2 }, () => addListener(same))
    const failed = (await Promise.allSettled(others)).find((each) => each.status === "rejected")
    if (failed !== undefined) throw failed.reason
    if (!isStopped) listening()
  }

  server.listen = (...args: ReadonlyArray<unknown>) => {
    const [options, listening = () => {}] = args as [unknown, (() => void)?]
    if (typeof options !== "object" || options === null) return listen(...args)
    if (!distributesConnections) return listen({ ...options, reusePort: false }, listening)
    isStopped = false
    open(options, listening).catch((error: unknown) => {
      closeAll()
      server.emit("error", error)
    })
    return server
  }
  return { all: listeners, stop: () => void (isStopped = true) }
}

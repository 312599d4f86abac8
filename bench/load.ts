/** The load generator: a separate process that runs one task after the other for its parent. */
import { connect } from "node:net"
import type { Socket } from "node:net"
import { fileURLToPath } from "node:url"
import type { Sizes } from "./data.ts"
import { requestsFor } from "./requests.ts"
import type { Requests, Side, Work } from "./requests.ts"

export interface Task {
  readonly work: Work
  readonly side: Side
  readonly variant?: string
  readonly sizes: Sizes
  readonly port: number
  /** The number of the first request; `Measured.next` is the number for the next task. */
  readonly from: number
  readonly connections: number
  /** The task ends after this number of seconds or requests, whichever comes first. */
  readonly seconds: number
  readonly requests?: number
  /** Requests per second: each is sent at its scheduled time, and its latency is measured from that time. If absent, each connection sends the next request after the response. */
  readonly rate?: number
}

export interface Measured {
  readonly requests: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly next: number
  /** Responses other than 2xx and broken connections, with the first of them. */
  readonly failures: number
  readonly firstFailure: string
}

/** One keep-alive connection with one request at a time. A minimal HTTP/1.1 client that costs little compared with the measured server. */
export class Connection {
  private readonly socket: Socket
  private readonly answered: (connection: Connection, status: number, text: string) => void
  private received: Buffer = Buffer.alloc(0)
  sentAt = 0

  constructor(port: number, answered: (connection: Connection, status: number, text: string) => void) {
    this.answered = answered
    this.socket = connect({ port, host: "127.0.0.1", noDelay: true })
    this.socket.on("data", (chunk) => this.receive(chunk))
    this.socket.on("error", (error) => answered(this, 0, error.message))
  }

  send(request: string, at: number): void {
    this.sentAt = at
    this.socket.write(request)
  }

  close(): void {
    this.socket.removeAllListeners("error").on("error", () => {})
    this.socket.destroy()
  }

  private receive(chunk: Buffer): void {
    const bytes = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    const end = bytes.indexOf("\r\n\r\n")
    const head = end < 0 ? "" : bytes.toString("latin1", 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const complete =
      length === undefined ? end >= 0 && bytes.subarray(-5).equals(lastChunk) : bytes.length >= end + 4 + Number(length)
    this.received = complete ? Buffer.alloc(0) : bytes
    if (complete) this.answered(this, Number(head.slice(9, 12)), status2xx(head) ? "" : bytes.toString())
  }
}

const lastChunk = Buffer.from("0\r\n\r\n")

const status2xx = (head: string): boolean => head.charCodeAt(9) === 50

export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const run = (task: Task, requestOf: Requests): Promise<Measured> =>
  new Promise((resolve) => {
    const latencies: Array<number> = []
    const idle: Array<Connection> = []
    const begun = performance.now()
    const until = begun + task.seconds * 1000
    const most = task.requests ?? Number.POSITIVE_INFINITY
    let sent = 0
    let open = 0
    let failures = 0
    let firstFailure = ""

    const dueAt = (n: number, now: number) => (task.rate === undefined ? now : begun + (n * 1000) / task.rate)
    const over = (now: number) => sent >= most || (task.rate === undefined ? now : dueAt(sent, now)) >= until
    const give = (connection: Connection, now: number): boolean => {
      const due = dueAt(sent, now)
      if (over(now) || due > now) return false
      connection.send(requestOf(task.from + sent), due)
      sent++
      open++
      return true
    }
    const finish = (now: number) => {
      clearInterval(timer)
      for (const connection of connections) connection.close()
      const sorted = Float64Array.from(latencies).sort()
      resolve({
        requests: latencies.length,
        perSecond: latencies.length / ((now - begun) / 1000),
        p50: percentile(sorted, 0.5),
        p99: percentile(sorted, 0.99),
        next: task.from + sent,
        failures,
        firstFailure
      })
    }
    const answered = (connection: Connection, status: number, text: string) => {
      const now = performance.now()
      open--
      latencies.push(now - connection.sentAt)
      if (status < 200 || status > 299) {
        if (failures++ === 0) firstFailure = text
        if (status === 0) return finish(now)
      }
      if (give(connection, now)) return
      idle.push(connection)
      if (open === 0 && over(now)) finish(now)
    }
    const pump = () => {
      const now = performance.now()
      for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
        if (!give(connection, now)) {
          idle.push(connection)
          break
        }
      }
      if (open === 0 && over(now)) finish(now)
    }
    const connections = Array.from({ length: task.connections }, () => new Connection(task.port, answered))
    const timer = setInterval(pump, 1)
    idle.push(...connections)
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const known = new Map<string, Requests>()
  process.on("message", (task: Task) => {
    const name = JSON.stringify([task.work, task.side, task.variant, task.sizes])
    const requests = known.get(name) ?? requestsFor(task.work, task.side, task.sizes, task.variant)
    known.set(name, requests)
    void run(task, requests).then((measured) => process.send?.(measured))
  })
  process.on("disconnect", () => process.exit())
}

import cluster from "node:cluster"

/** Messages between the supervisor and the server processes. `id` names one request for metrics. A process sends `serving` once it serves. */
export type ToSupervisor =
  | { readonly type: "serving" }
  | { readonly type: "gather"; readonly id: string }
  | { readonly type: "sampled"; readonly id: string; readonly text: string }

export const tell = (message: ToSupervisor): void => void process.send?.(message)

export type ToProcess =
  | { readonly type: "sample"; readonly id: string }
  | { readonly type: "gathered"; readonly id: string; readonly samples: ReadonlyArray<ProcessSample> }

/** The metrics of one process, in Prometheus text format. */
export interface ProcessSample {
  readonly process: number
  readonly text: string
}

/** The variable that tells a server process its number, from 1. */
export const processNumber = "MARKET_PROCESS"

/** Whether this is one of several server processes of a supervisor. */
export const isSupervised = cluster.isWorker && process.env[processNumber] !== undefined

/** The variable of the process that speaks for all of them at the start. */
export const greets = "MARKET_GREETS"

/** Whether this process prints the greeting and the warnings: the only one, or the first of several at its first start. */
export const isGreeting = !isSupervised || process.env[greets] !== undefined

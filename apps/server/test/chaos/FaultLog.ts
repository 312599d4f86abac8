import type { Random } from "@agent-marketplace/fixtures/fuzzing/Random"
import { setTimeout } from "node:timers/promises"

/** Something that happens to the market, from its start to its end. */
export type Fault = readonly [name: string, run: (random: Random) => Promise<unknown>]

/** Faults that exclude each other, because they concern the same service. Those of different lanes overlap. */
export interface Lane {
  /** The most important first: a short run may not reach the others. */
  readonly faults: ReadonlyArray<Fault>
  /** The longest pause between two faults, in milliseconds. */
  readonly pause: number
}

interface Happened {
  readonly name: string
  readonly from: number
  to: number | undefined
}

/** Which faults happened when. */
export class FaultLog {
  readonly #happened: Array<Happened> = []
  readonly #start = Date.now()

  /** One fault after the other, until the time is over or `stop` says so: first each of the lane's in its order, then any. */
  async run({ faults, pause }: Lane, random: Random, until: number, stop: () => boolean): Promise<void> {
    const left: Array<Fault> = [...faults]
    while (Date.now() < until && !stop()) {
      await setTimeout(random.below(pause))
      const [name, run] = left.shift() ?? random.pick(faults)
      const happened: Happened = { name, from: Date.now(), to: undefined }
      this.#happened.push(happened)
      await run(random)
      happened.to = Date.now()
    }
  }

  get count(): number {
    return this.#happened.length
  }

  /** How often each fault happened. */
  get kinds(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { name } of this.#happened) counts[name] = (counts[name] ?? 0) + 1
    return counts
  }

  /** How many faults each whole minute had. */
  get perMinute(): ReadonlyArray<number> {
    const counts: Array<number> = []
    for (const { from } of this.#happened) {
      const minute = Math.floor((from - this.#start) / 60_000)
      while (counts.length <= minute) counts.push(0)
      counts[minute] = (counts[minute] ?? 0) + 1
    }
    return counts
  }

  /** The newest faults, for the report of a failure. */
  last(count: number): string {
    const seconds = (at: number) => `${((at - this.#start) / 1000).toFixed(1)} s`
    return this.#happened
      .slice(-count)
      .map(({ from, name, to }) => `  ${seconds(from)} to ${to === undefined ? "…" : seconds(to)}: ${name}`)
      .join("\n")
  }
}

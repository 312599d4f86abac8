import { Context } from "effect"

/** The bounds of load shedding in a process. */
export interface LoadBoundsOf {
  /** With at most this many requests a process is never overloaded (LOAD-4). */
  readonly neverOverloaded: number
  /** The smallest limit of requests in progress (LOAD-1). */
  readonly floor: number
  /** The same in an overload while the event loop is busy. */
  readonly overloadFloor: number
  /** The largest limit. */
  readonly ceiling: number
  /** A process is late if more than a tenth of its requests take longer, in milliseconds. */
  readonly targetMillis: number
  /** The interval at which the limit and the share follow the measurements. */
  readonly windowMillis: number
  /** The smallest share of one caller. */
  readonly leastShare: number
  /** The same for purchases and other requests of the priority _money_: they are settled in batches, which one caller can fill. */
  readonly leastMoneyShare: number
  /** While the event loop is busy for more than this share of the time, a caller with many requests is held back for others (LOAD-3). */
  readonly busy: number
  /** How many requests wait at most; one caller's at most half of them. */
  readonly waiting: number
  /** The longest wait while the process answers as many requests as arrive. */
  readonly burstMillis: number
  /** The longest wait in an overload. */
  readonly overloadMillis: number
  /** In an overload at least this many requests arrive for each one that is answered. */
  readonly excess: number
  /** How long this excess of many callers must last to be an overload, and how long the process stays overloaded after the line was full. */
  readonly excessMillis: number
  /**
   * The same for an excess of fewer callers, while nothing is answered, and while no more requests arrive than could be answered before: it may be a burst, or a slow
   * moment of the database. Answers are averaged over as long.
   */
  readonly burstExcessMillis: number
  /** So many callers with requests are many. */
  readonly manyCallers: number
  /** How long a refused read waits for its response. */
  readonly refusalMillis: number
  /** With more requests than this, refused reads do not wait. */
  readonly mostWithDelay: number
}

/** Tests replace them with smaller ones. */
export const LoadBounds = Context.Reference<LoadBoundsOf>("@agent-marketplace/http/overload/LoadBounds", {
  defaultValue: () => ({
    neverOverloaded: 128,
    floor: 64,
    overloadFloor: 32,
    ceiling: 1024,
    targetMillis: 50,
    windowMillis: 100,
    leastShare: 2,
    leastMoneyShare: 4,
    busy: 0.5,
    waiting: 2048,
    burstMillis: 5000,
    overloadMillis: 50,
    excess: 1.5,
    excessMillis: 200,
    burstExcessMillis: 1000,
    manyCallers: 32,
    refusalMillis: 250,
    mostWithDelay: 4096
  })
})

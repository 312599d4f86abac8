import { Context } from "effect"

/** The bounds of load shedding in a process. */
export interface LoadBoundsOf {
  /** A process with at most so many requests is never overloaded (LOAD-4). */
  readonly few: number
  /** The smallest limit of requests in progress (LOAD-1). */
  readonly floor: number
  /** The same in an overload. */
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
  /** A caller with many requests is held back for others only while the event loop is busy for more than this share of the time. */
  readonly busy: number
  /** How many requests wait at most; one caller's at most half of them. */
  readonly waiting: number
  /** The longest wait while the process answers as many requests as arrive. */
  readonly burstMillis: number
  /** The longest wait in an overload. */
  readonly overloadMillis: number
  /** So many times as many requests arrive as are answered in an overload. */
  readonly excess: number
  /** How long this excess must last to be an overload, and how long the process stays overloaded after the line was full. */
  readonly excessMillis: number
  /** How long a read waits for its refusal in an overload. */
  readonly refusalMillis: number
  /** With more requests than this, the refusal does not wait. */
  readonly most: number
}

/** Tests replace them with smaller ones. */
export const LoadBounds = Context.Reference<LoadBoundsOf>("@agent-marketplace/http/overload/LoadBounds", {
  defaultValue: () => ({
    few: 128,
    floor: 64,
    overloadFloor: 32,
    ceiling: 1024,
    targetMillis: 50,
    windowMillis: 100,
    leastShare: 1,
    leastMoneyShare: 4,
    busy: 0.5,
    waiting: 512,
    burstMillis: 5000,
    overloadMillis: 50,
    excess: 1.5,
    excessMillis: 200,
    refusalMillis: 250,
    most: 4096
  })
})

import { priorities } from "@agent-marketplace/api/access/LoadPriority"
import type { Priority } from "@agent-marketplace/api/access/LoadPriority"
import type { LoadBoundsOf } from "./LoadBounds.ts"
import { nextLimits } from "./loadLimits.ts"
import type { LoadLimits } from "./loadLimits.ts"

interface CallerLoad {
  readonly subject: string
  inProgress: Record<Priority, number>
  waiting: number
  /** The requests that wait for one of this caller's own to end, by priority, newest last. They may contain requests that no longer wait. */
  readonly lines: Readonly<Record<Priority, Array<Place>>>
}

/** A request and its place: in progress, in line, or neither. */
export interface Place {
  readonly priority: Priority
  readonly caller: CallerLoad
  state: "admitted" | "waiting" | "refused" | "left"
  /** When it arrived; once admitted, when it was. Milliseconds of the process's monotonic clock. */
  since: number
  /** Called once if it waited. */
  decided: ((admitted: boolean) => void) | undefined
}

export interface AdmissionOptions {
  readonly bounds: LoadBoundsOf
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** The share of the time since the last call in which the event loop was busy. */
  readonly utilization: () => number
  /** A request was refused. */
  readonly refused: (priority: Priority) => void
}

const nothing = (): Record<Priority, number> => ({ control: 0, money: 0, read: 0 })

const emptyLines = (): CallerLoad["lines"] => ({ control: [], money: [], read: [] })

/**
 * Decides which requests start, wait or are refused (LOAD-1, LOAD-2, LOAD-3, LOAD-4). `arrive` and `depart` surround a
 * request, `enter` and `leave` its work, once its caller is known. It does a constant amount of work for each request and remembers only
 * callers with a request (LOAD-6).
 *
 * Requests wait by priority, the oldest first, so that none is passed over while the process answers as many as arrive. In an overload the
 * newest goes first, because the others could not be answered in time in any order. A caller with many requests is held back by its share.
 */
export const makeAdmission = ({ bounds, now, refused, utilization }: AdmissionOptions) => {
  const callers = new Map<string, CallerLoad>()
  /** All waiting requests by priority, oldest first. */
  const waiting: Readonly<Record<Priority, Set<Place>>> = { control: new Set(), money: new Set(), read: new Set() }
  /** The waiting requests of callers who are below their share, newest last. They may contain requests that no longer wait. */
  const ready: Readonly<Record<Priority, Array<Place>>> = { control: [], money: [], read: [] }
  let limits: LoadLimits = { limit: bounds.floor, share: bounds.ceiling }
  const running = nothing()
  let waitingCount = 0
  /** The requests that have arrived and have no response yet. */
  let present = 0
  /** Refused reads that wait for their response. */
  let delayedRefusals = 0
  let [windowStart, arrived, answered, finished, slow, severalCallers] = [now(), 0, 0, 0, 0, false]
  /** How long the excess of arrivals has lasted. Time that may belong to a burst or a pause counts for less. */
  let excessMillis = 0
  /** The requests answered in a millisecond: an average over about `burstExcessMillis`. */
  let answerRate = 0
  /** When a request last found the line full. */
  let fullAt = Number.NEGATIVE_INFINITY

  /** How many requests of this priority and of higher ones are in progress. */
  const inProgress = (priority: Priority): number => {
    if (priority === "control") return running.control
    return running.control + running.money + (priority === "read" ? running.read : 0)
  }

  /** Requests of lower priorities take no room, so that control and money start while reads fill the process (LOAD-2). */
  const hasRoom = (priority: Priority): boolean => inProgress(priority) < limits.limit

  /** How many requests of a priority one caller may have in progress. For money it is never less than an even part of the limit. */
  const shareOf: Readonly<Record<Priority, () => number>> = {
    control: () => Infinity,
    money: () => Math.max(bounds.leastMoneyShare, limits.share, Math.floor(limits.limit / callers.size)),
    read: () => limits.share
  }

  const isBelowShare = ({ inProgress }: CallerLoad, priority: Priority): boolean =>
    inProgress[priority] < shareOf[priority]()

  const forget = (caller: CallerLoad): void => {
    const { control, money, read } = caller.inProgress
    if (control + money + read + caller.waiting === 0) callers.delete(caller.subject)
  }

  const start = (place: Place, at: number): void => {
    place.state = "admitted"
    place.since = at
    place.caller.inProgress[place.priority] += 1
    running[place.priority] += 1
  }

  /** Removes a waiting request; lines are cleaned once most of what they contain no longer waits. */
  const leaveLine = (place: Place): void => {
    const { caller, priority } = place
    waiting[priority].delete(place)
    waitingCount -= 1
    caller.waiting -= 1
    for (const line of [caller.lines[priority], ready[priority]])
      if (line.length > 2 * waitingCount + 16)
        line.splice(0, line.length, ...line.filter(({ state }) => state === "waiting"))
  }

  const refuse = (place: Place): void => {
    place.state = "refused"
    leaveLine(place)
    forget(place.caller)
    refused(place.priority)
    place.decided?.(false)
  }

  /**
   * A process with few requests is never overloaded. If some of them wait, one caller is held back by its share, or the database has
   * paused. Refused reads count until they have their response: they are the demand of clients that retry at once.
   */
  const hasFew = (): boolean => present <= bounds.neverOverloaded

  /** The line was full, or for some time more requests arrive than are answered (LOAD-4). */
  const isOverloaded = (at: number): boolean =>
    !hasFew() && (excessMillis >= bounds.excessMillis || at - fullAt < bounds.excessMillis)

  const take = (line: Array<Place>, at: number): Place | undefined => {
    const one = () => (isOverloaded(at) ? line.pop() : line.shift())
    let place = one()
    while (place !== undefined && place.state !== "waiting") place = one()
    return place
  }

  /** The next request of this priority; those of callers who have reached their share go back to their places in the callers' lines. */
  const next = (priority: Priority, at: number): Place | undefined => {
    const aside: Array<Place> = []
    let place = take(ready[priority], at)
    for (; place !== undefined && !isBelowShare(place.caller, priority); place = take(ready[priority], at))
      aside.push(place)
    for (const each of aside.toReversed()) {
      const line = each.caller.lines[priority]
      if (isOverloaded(at)) line.push(each)
      else line.unshift(each)
    }
    return place
  }

  const fill = (at: number): void => {
    for (const priority of priorities) {
      while (waiting[priority].size > 0 && hasRoom(priority)) {
        const place = next(priority, at)
        if (place === undefined) break
        start(place, at)
        leaveLine(place)
        place.decided?.(true)
      }
    }
  }

  /** Makes as many requests of the caller ready as its share allows. */
  const makeReady = (caller: CallerLoad, at: number): void => {
    for (const priority of priorities)
      for (let taken = caller.inProgress[priority]; taken < shareOf[priority](); taken++) {
        const place = take(caller.lines[priority], at)
        if (place === undefined) break
        ready[priority].push(place)
      }
  }

  /** Adjusts the limits after each window. */
  const adjust = (at: number): void => {
    const elapsedMillis = at - windowStart
    if (elapsedMillis < bounds.windowMillis) return
    const measured = {
      elapsedMillis,
      finished,
      slow,
      inProgress: inProgress("read"),
      severalCallers,
      utilization: utilization(),
      overloaded: isOverloaded(at)
    }
    limits = nextLimits(limits, measured, bounds)
    const isExcess = !hasFew() && arrived > bounds.excess * answered
    // If no more requests arrive than could be answered before, the database may only be slow for a moment.
    const hasGrown = arrived > bounds.excess * answerRate * elapsedMillis
    const isFlood = hasGrown && callers.size > bounds.manyCallers && answered > 0
    const weight = isFlood ? 1 : bounds.excessMillis / bounds.burstExcessMillis
    excessMillis = isExcess ? excessMillis + weight * Math.min(elapsedMillis, bounds.windowMillis) : 0
    answerRate += (answered / elapsedMillis - answerRate) * Math.min(1, elapsedMillis / bounds.burstExcessMillis)
    ;[windowStart, arrived, answered, finished, slow, severalCallers] = [at, 0, 0, 0, 0, callers.size > 1]
    if (waitingCount === 0) return
    for (const caller of callers.values()) if (caller.waiting > 0) makeReady(caller, at)
    fill(at)
  }

  /** Makes room in a full line: the oldest request of a lower priority gives way. */
  const makeRoom = (priority: Priority): boolean => {
    for (const lower of priorities.toReversed()) {
      if (lower === priority) return false
      const [oldest] = waiting[lower]
      if (oldest === undefined) continue
      refuse(oldest)
      return true
    }
    return false
  }

  const wait = (place: Place, at: number): void => {
    const { caller, priority } = place
    if (waitingCount >= bounds.waiting) fullAt = at
    const mayWait = caller.waiting < bounds.waiting / 2 && (waitingCount < bounds.waiting || makeRoom(priority))
    if (!mayWait) {
      place.state = "refused"
      forget(caller)
      refused(priority)
      return
    }
    place.state = "waiting"
    caller.waiting += 1
    waitingCount += 1
    waiting[priority].add(place)
    // The request that gave way may have been this caller's only one.
    callers.set(caller.subject, caller)
    // Earlier requests may still be in the caller's line although it is below its share, and must stay first.
    const goesFirst = isOverloaded(at) || caller.lines[priority].length === 0
    if (goesFirst && isBelowShare(caller, priority)) ready[priority].push(place)
    else {
      caller.lines[priority].push(place)
      makeReady(caller, at)
    }
  }

  const callerOf = (subject: string): CallerLoad => {
    const known = callers.get(subject)
    if (known !== undefined) return known
    const caller = { subject, inProgress: nothing(), waiting: 0, lines: emptyLines() }
    callers.set(subject, caller)
    return caller
  }

  return {
    /** A request arrives whose caller may not be known yet. */
    arrive: (): void => {
      arrived += 1
      present += 1
      adjust(now())
    },
    /** The response to a request starts, or its client has left. A refusal is no answer. */
    depart: (isAnswered: boolean): void => {
      present -= 1
      if (isAnswered) answered += 1
    },
    /** A request whose caller is known is admitted, waits until `decided` is called, or is refused. */
    enter: (priority: Priority, subject: string): Place => {
      const at = now()
      adjust(at)
      const caller = callerOf(subject)
      severalCallers ||= callers.size > 1
      const place: Place = { priority, caller, state: "left", since: at, decided: undefined }
      if (hasRoom(priority) && isBelowShare(caller, priority)) start(place, at)
      else wait(place, at)
      return place
    },
    /** A request has ended, or its client no longer waits. */
    leave: (place: Place): void => {
      const { caller, priority, since, state } = place
      if (state !== "admitted" && state !== "waiting") return
      place.state = "left"
      if (state === "waiting") {
        leaveLine(place)
        forget(caller)
        return
      }
      const at = now()
      running[priority] -= 1
      caller.inProgress[priority] -= 1
      finished += 1
      if (at - since > bounds.targetMillis) slow += 1
      if (caller.waiting > 0) makeReady(caller, at)
      forget(caller)
      adjust(at)
      if (waitingCount > 0) fill(at)
    },
    /** Whether to refuse a read that has just arrived: there is no room for it, and the process is overloaded or the line is full. */
    shouldRefuseRead: (): boolean =>
      present - waitingCount - delayedRefusals > limits.limit &&
      (waitingCount >= bounds.waiting || isOverloaded(now())),
    /** Refuses a read before its caller is known. Returns how long its response waits, in milliseconds. */
    startRefusal: (): number => {
      if (waitingCount >= bounds.waiting) fullAt = now()
      refused("read")
      delayedRefusals += 1
      return present > bounds.mostWithDelay ? 0 : bounds.refusalMillis
    },
    /** The response to a refused read may be sent. */
    endRefusal: (): void => {
      delayedRefusals -= 1
    },
    /** Refuses those who have waited for too long (LOAD-4). To be called some times a second while requests wait. */
    expire: (): void => {
      const at = now()
      adjust(at)
      const patience = isOverloaded(at) ? bounds.overloadMillis : bounds.burstMillis
      for (const priority of priorities)
        for (const place of waiting[priority]) {
          if (at - place.since <= patience) break
          refuse(place)
        }
    },
    /** Refuses all who wait. */
    close: (): void => {
      for (const priority of priorities) for (const place of waiting[priority]) refuse(place)
    },
    state: () => ({
      ...limits,
      inProgress: inProgress("read"),
      waiting: waitingCount,
      callers: callers.size,
      present,
      delayedRefusals
    })
  }
}

export type Admission = ReturnType<typeof makeAdmission>

/** What a caller has started in a turn. */
export interface Started {
  turn: number
  reads: number
}

/** The shortest turn, in milliseconds. */
const turnMillis = 20

/** However late a turn begins, it allows no more than the reads of this time, in milliseconds. */
const mostMillis = 100

/**
 * Spreads the reads of callers who are held back over time (LOAD-3). Time is divided into turns, in each of which a caller may start as many
 * reads as the pace allows, and at least one.
 */
export const makeTurns = () => {
  let [turn, begun, most] = [0, 0, Infinity]
  return {
    /** Begins the next turn if it is time. `pace` is the reads of one caller per millisecond. Returns whether a turn began. */
    advance: (pace: number, at: number): boolean => {
      const elapsed = at - begun
      if (pace === Infinity ? most === Infinity : elapsed < turnMillis || elapsed * pace < 1) return false
      const reads = pace === Infinity ? Infinity : Math.round(Math.min(elapsed, mostMillis) * pace)
      ;[turn, begun, most] = [turn + 1, at, Math.max(1, reads)]
      return true
    },
    mayStart: (caller: Started): boolean => caller.turn !== turn || caller.reads < most,
    start: (caller: Started): void => {
      if (caller.turn !== turn) [caller.turn, caller.reads] = [turn, 0]
      caller.reads += 1
    }
  }
}

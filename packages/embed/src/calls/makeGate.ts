/** How long an end waits for what is under way, in milliseconds. */
const patience = 10_000

/** Counts what is under way, and lets nothing begin once it is closed (EMBED-4). */
export interface Gate {
  /** What to call at the end of what begins now; undefined where nothing begins any more. */
  readonly enter: () => (() => void) | undefined
  /** Fulfilled when all that has begun is over, or patience is. */
  readonly close: () => Promise<void>
}

export const makeGate = (): Gate => {
  let open = true
  let inside = 0
  let emptied = () => {}

  const leave = () => {
    inside -= 1
    if (inside === 0) emptied()
  }
  return {
    enter: () => {
      if (!open) return undefined
      inside += 1
      let left = false
      return () => {
        if (!left) leave()
        left = true
      }
    },
    close: () => {
      open = false
      if (inside === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, patience)
        emptied = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}

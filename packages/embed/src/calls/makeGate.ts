/** How long closing waits for calls in progress, in milliseconds. */
const patience = 10_000

/** Counts the calls in progress, and admits none once it is closed (EMBED-4). */
export interface Gate {
  /** Admits a call and returns what to run at its end; undefined once the gate is closed. */
  readonly enter: () => (() => void) | undefined
  /** Resolves when every admitted call has ended, or after the time limit. */
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

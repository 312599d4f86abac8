import { useState } from "react"

/** How far the person is in the tour. */
export interface TourState {
  /** 1 to 4. */
  readonly step: number
  /** The purchase that waits, or has waited. */
  readonly purchase: string | null
  readonly closed: boolean
}

const first: TourState = { step: 1, purchase: null, closed: false }

const keyOf = (account: string): string => `agent-marketplace-tour:${account}`

const read = (account: string): TourState => {
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(keyOf(account)) ?? "{}") as Partial<TourState>) }
  } catch {
    return first
  }
}

/** The state is kept in this browser, so that a closed tour stays closed (CONSOLE-59). Without storage it lasts as long as the page. */
export const useTourState = (account: string): readonly [TourState, (change: Partial<TourState>) => void] => {
  const [state, setState] = useState(() => read(account))
  const change = (changes: Partial<TourState>) => {
    const next = { ...state, ...changes }
    setState(next)
    try {
      localStorage.setItem(keyOf(account), JSON.stringify(next))
    } catch {
      // Storage is off.
    }
  }
  return [state, change]
}

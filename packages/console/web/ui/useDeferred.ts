import type { ComponentType } from "react"
import { useEffect, useState } from "react"

/** The time between two attempts, in milliseconds. */
const pause = 2000

/** A component whose script is loaded once it is `wanted`; undefined until then. A script that cannot be loaded is tried again, so that the page around it stays as it is. */
export const useDeferred = <P>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  wanted: boolean
): ComponentType<P> | undefined => {
  const [loaded, setLoaded] = useState<{ readonly component: ComponentType<P> }>()
  const [attempt, setAttempt] = useState(0)
  const isMissing = wanted && loaded === undefined
  useEffect(() => {
    if (!isMissing) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    load().then(
      ({ default: component }) => setLoaded({ component }),
      () => (timer = setTimeout(() => setAttempt(attempt + 1), pause))
    )
    return () => clearTimeout(timer)
  }, [attempt, isMissing, load])
  return loaded?.component
}

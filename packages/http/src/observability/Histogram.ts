/** A Prometheus histogram: counts in fixed bounds, which are never many. */
export interface Histogram {
  readonly observe: (value: number) => void
  /** The lines of one series; `labels` without braces, empty for none. */
  readonly lines: (name: string, labels: string) => string
}

export const makeHistogram = (bounds: ReadonlyArray<number>): Histogram => {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe: (value) => {
      sum += value
      let i = 0
      while (i < bounds.length && value > (bounds[i] ?? 0)) i++
      counts[i] = (counts[i] ?? 0) + 1
    },
    lines: (name, labels) => {
      const prefix = labels === "" ? "" : `${labels},`
      const own = labels === "" ? "" : `{${labels}}`
      let total = 0
      let text = ""
      bounds.forEach((bound, i) => {
        total += counts[i] ?? 0
        text += `${name}_bucket{${prefix}le="${bound}"} ${total}\n`
      })
      total += counts[bounds.length] ?? 0
      return `${text}${name}_bucket{${prefix}le="+Inf"} ${total}\n${name}_sum${own} ${sum}\n${name}_count${own} ${total}\n`
    }
  }
}

/** Draws how much of each target is reached, as an SVG. */
import { reached } from "./report.ts"
import type { Entry } from "./results.ts"

interface Bar {
  readonly label: string
  readonly share: number
  readonly text: string
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("`", "")

/** Without its last details if it would not fit beside the bars. */
const shortened = (text: string): string =>
  text.length > longestLabel && text.includes(", ") ? shortened(text.slice(0, text.lastIndexOf(", "))) : text

/** The worst measure of each row decides. */
const barsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Bar> =>
  entries.flatMap(({ measures, row, work }) => {
    const shares = measures.flatMap(({ goal }) => reached(goal) ?? [])
    if (shares.length === 0) return []
    const share = Math.min(...shares)
    return [{ label: shortened(`${row}  ${work}`), share, text: share.toFixed(2) }]
  })

/** In characters. */
const longestLabel = 56

const [left, width, step, top] = [430, 320, 24, 40]

/** The scale is logarithmic from a tenth of the target to ten times the target. */
const place = (share: number): number => (width * (1 + Math.log10(Math.min(10, Math.max(0.1, share))))) / 2

const style = `text { font: 13px system-ui, sans-serif; fill: #1f2328 } .met { fill: #1a7f37 } .unmet { fill: #cf222e }
  line { stroke: #1f2328 } .faint { stroke: #d1d9e0 } .small { font-size: 11px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .met { fill: #3fb950 } .unmet { fill: #f85149 } line { stroke: #e6edf3 } .faint { stroke: #3d444d }
  }`

/** One bar for each measured row; bars that reach the line in the middle meet their target. */
export const chartOf = (entries: ReadonlyArray<Entry>): string => {
  const bars = barsOf(entries)
  const bottom = top + bars.length * step
  const marks = [0.1, 0.3, 1, 3, 10].map((mark) => {
    const x = (left + place(mark)).toFixed(1)
    return (
      `<line class="${mark === 1 ? "target" : "faint"}" x1="${x}" y1="${top - 8}" x2="${x}" y2="${bottom}"/>` +
      `<text class="small" x="${x}" y="${top - 14}" text-anchor="middle">${mark === 1 ? "target" : `${mark} ×`}</text>`
    )
  })
  const rows = bars.map(({ label, share, text }, i) => {
    const y = top + i * step
    const length = Math.max(2, place(share)).toFixed(1)
    return (
      `<text x="${left - 10}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>` +
      `<rect class="${share >= 1 ? "met" : "unmet"}" x="${left}" y="${y + 2}" width="${length}" height="${step - 9}" rx="2"/>` +
      `<text x="${left + Number(length) + 6}" y="${y + 13}">${text}</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 60} ${bottom + 12}" role="img">`,
    `<title>How much of each target is reached</title>`,
    `<style>${style}</style>`,
    ...marks,
    ...rows,
    "</svg>",
    ""
  ].join("\n")
}

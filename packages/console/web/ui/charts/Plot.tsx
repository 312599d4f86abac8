import { useEffect, useRef } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { PlotRequest } from "./plotOptions.ts"
import { alignedData, plotOptions } from "./plotOptions.ts"

/** The picture of a chart. Loaded only by pages that show one; the sentence of `label` describes it (CONSOLE-36). */
const Plot = ({ label, ...request }: PlotRequest & { readonly label: string }) => {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef<PlotRequest>(request)
  useEffect(() => {
    latest.current = request
    plot.current?.setData(alignedData(request))
  })
  const { data, kind } = request
  // A change of these draws the chart anew; other changes only bring new values.
  const shape = `${kind} ${data.per} ${data.series.map(({ id, tone = "" }) => `${id} ${tone}`).join("\n")}`
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const draw = () => {
      plot.current?.destroy()
      plot.current = new uPlot(
        plotOptions(element, () => latest.current),
        alignedData(latest.current),
        element
      )
    }
    draw()
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    scheme.addEventListener("change", draw)
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: 220 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      scheme.removeEventListener("change", draw)
      plot.current?.destroy()
      plot.current = null
    }
  }, [shape])
  return (
    <div ref={box} role="img" aria-label={label} className="h-[220px] min-w-0 overflow-hidden [contain:inline-size]" />
  )
}

export default Plot

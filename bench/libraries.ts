/** Measures the libraries that users load: the client in their application, the harness in their tests. */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { clientLimit, kilobytes, measureClient } from "../scripts/packages/clientBundles.ts"
import type { Line } from "./report.ts"
import { judged, median, plain } from "./report.ts"

const run = promisify(execFile)

/** Minified and gzipped, with everything that an entry exports. */
export const clientSize = async (): Promise<ReadonlyArray<Line>> => {
  const { main, node } = await measureClient(join(import.meta.dirname, ".."))
  const told = ({ bytes, gzipped }: { readonly bytes: number; readonly gzipped: number }) =>
    `${kilobytes(gzipped)} of ${kilobytes(bytes)}`
  return [
    judged(
      "client, gzipped",
      { market: told(main) },
      { row: 14, value: main.gzipped / 1000, unit: "kB", below: clientLimit / 1000 }
    ),
    plain("client's Node entry, gzipped", told(node), "", undefined)
  ]
}

interface Start {
  readonly import: number
  readonly call: number
  readonly again: number
}

const program = (harness: string) => `
const begun = performance.now()
const { startHarness } = await import(${JSON.stringify(harness)})
const imported = performance.now()
const first = await startHarness({ seed: 7 })
const started = performance.now()
const second = await startHarness({ seed: 8 })
const again = performance.now()
await Promise.all([first.stop(), second.stop()])
console.log(JSON.stringify({ import: imported - begun, call: started - imported, again: again - started }))
`

/** Measures the published harness, each time in a new process without a cache. */
export const harnessStart = async (folder: string, rounds: number): Promise<ReadonlyArray<Line>> => {
  const harness = join(import.meta.dirname, "../apps/harness")
  const bundle = join(folder, "harness")
  await run(process.execPath, ["../../scripts/bundle.ts", "--to", bundle, "src/startHarness.ts"], { cwd: harness })
  const file = join(folder, "harness-start.mjs")
  await writeFile(file, program(pathToFileURL(join(bundle, "startHarness.js")).href))
  const starts: Array<Start> = []
  for (let round = 0; round < 2 * rounds; round++)
    starts.push(JSON.parse((await run(process.execPath, [file])).stdout) as Start)
  const of = (part: keyof Start) => median(starts.map((start) => start[part]))
  const milliseconds = (value: number) => `${value.toFixed(0)} ms`
  return [
    plain("cold start of the harness, the call", milliseconds(of("call")), "< 100 ms", of("call") < 100),
    plain("another harness in the same process", milliseconds(of("again")), "", undefined),
    plain("cold start of the harness, its import", milliseconds(of("import")), "", undefined)
  ]
}

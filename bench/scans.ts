/** Measures the scanner of releases: its own speed, and the rate of requests while it runs. */
import { packArchive } from "@agent-marketplace/trust/archive/packArchive"
import { scan } from "@agent-marketplace/trust/scan"
import { setTimeout as pause } from "node:timers/promises"
import { tokenOf } from "./data.ts"
import { mainThreadSeconds } from "./cpu.ts"
import type { Bench, Costed } from "./measures.ts"
import { compareServed } from "./comparisons.ts"
import { run } from "./measures.ts"
import type { Line } from "./report.ts"
import { judged, median } from "./report.ts"

const encoder = new TextEncoder()

const prose =
  "Read the table, group the rows by their category and write one sentence for each group. Ask the user if a value is missing.\n\n- Use ISO dates.\n- Run `npm test` before you answer.\n\n```bash\nnode scripts/report.js --input data.csv\n```\n\n"
const code =
  'import json\n\ndef load(path):\n    with open(path) as handle:\n        return json.load(handle)\n\nfor row in load("data.json"):\n    print(row["name"], row.get("value", 0))\n\n'

/** 1,000 files of 10 kB, half of them documents and half of them scripts. */
const files = Array.from({ length: 1000 }, (_, i) => ({
  path: i % 2 === 0 ? `docs/${i}.md` : `src/${i}.py`,
  bytes: encoder.encode((i % 2 === 0 ? prose : code).repeat(200).slice(0, 10_000))
}))

const most = 2

/** The processor time of one thread for a scan, which other programs do not change. The first scan compiles the code. */
export const scanSpeed = async (rounds: number): Promise<ReadonlyArray<Line>> => {
  const spent: Array<number> = []
  const took: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const [before, started] = [process.threadCpuUsage(), performance.now()]
    await scan(files, { kind: "skill" })
    const { system, user } = process.threadCpuUsage(before)
    spent.push((system + user) / 1e6)
    took.push((performance.now() - started) / 1000)
  }
  const [first = 0] = spent
  const found = median(spent)
  return [
    judged(
      "scan of 1,000 files of 10 kB, processor time",
      { market: `cpu ${found.toFixed(2)} s, the first ${first.toFixed(2)} s; elapsed ${median(took).toFixed(2)} s` },
      { row: 20, value: Math.max(first, found), unit: "s", below: most }
    )
  ]
}

const skill = (n: number): string => `---\nname: reports\ndescription: Writes reports.\n---\n\n# Reports ${n}\n`

interface Seller {
  /** Uploads a release, which the server then scans. */
  readonly upload: () => Promise<void>
  readonly isScanning: () => Promise<boolean>
}

const openShop = async ({ market, sizes }: Bench): Promise<Seller> => {
  const send = async (path: string, key: string, init: RequestInit = {}): Promise<Record<string, never>> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers }
    const response = await fetch(`http://127.0.0.1:${market.port}${path}`, { ...init, headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const post = (path: string, key: string, body: object) =>
    send(path, key, { method: "POST", body: JSON.stringify(body) })
  // The last seller of the filled market, whose tier has no limit for the number of requests.
  const key = tokenOf(sizes.sellers - 1)
  const draft = { name: "Report writer", description: "Writes reports about tables.", price: 5 }
  const { id } = (await post("/api/v1/skills", key, draft)).data as unknown as { readonly id: string }
  let uploads = 0
  return {
    upload: async () => {
      uploads += 1
      // Only one file differs, so that little is stored.
      const body = packArchive([{ path: "SKILL.md", bytes: encoder.encode(skill(uploads)) }, ...files])
      const headers = { "content-type": "application/gzip" }
      const path = `/v1/listings/${id}/releases?version=1.${uploads}.0`
      await send(path, key, { method: "POST", headers, body: Uint8Array.from(body) })
    },
    isScanning: async () => {
      const { releases } = (await send(`/v1/listings/${id}/releases?limit=100`, key)) as unknown as {
        readonly releases: ReadonlyArray<{ readonly status: string }>
      }
      return releases.some(({ status }) => status === "scanning")
    }
  }
}

/**
 * The rate of requests while the server scans releases of 1,000 files, one after the other, compared with the rate without. `cpu` is the processor
 * time of the server's main thread for each request, which a scan in another thread must not raise.
 */
export const besideScans = async (bench: Bench): Promise<ReadonlyArray<Line>> => {
  const seller = await openShop(bench)
  const { pid } = bench.market
  const measured = async (): Promise<Costed> => {
    const before = mainThreadSeconds(pid) ?? Number.NaN
    const found = await run(bench, "skill", "market")
    const cpu = (((mainThreadSeconds(pid) ?? Number.NaN) - before) / found.requests) * 1e6
    return { ...found, cpu: Number.isNaN(cpu) ? undefined : cpu }
  }
  const quiet = async () => {
    while (await seller.isScanning()) await pause(100)
  }
  /** How many releases must wait, so that the scans last longer than the measurement. */
  let waiting = 2
  const beside = async (): Promise<Costed> => {
    for (;;) {
      for (let n = 0; n < waiting; n++) await seller.upload()
      const found = await measured()
      if (await seller.isScanning()) return found
      waiting += 2
      await quiet()
    }
  }
  const alone = async (): Promise<Costed> => {
    await quiet()
    return measured()
  }
  const line = await compareServed(bench, "skill detail beside scans", [beside, alone], { row: 20, atLeast: 0.8 })
  await quiet()
  return [line]
}

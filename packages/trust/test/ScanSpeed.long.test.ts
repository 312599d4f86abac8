import { expect, test } from "vitest"
import type { ScannedFile } from "../src/scan.ts"
import { scan } from "../src/scan.ts"

const encoder = new TextEncoder()

/** Processor time of one scan in this thread, in milliseconds: other processes and threads do not count. */
const cost = async (files: ReadonlyArray<ScannedFile>): Promise<number> => {
  const before = process.threadCpuUsage()
  await scan(files, { kind: "skill" })
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const prose =
  "Read the table, group the rows by their category and write one sentence for each group. Ask the user if a value is missing.\n\n- Use ISO dates.\n- Run `npm test` before you answer.\n\n```bash\nnode scripts/report.js --input data.csv\n```\n\n"
const code =
  'import json\n\ndef load(path):\n    with open(path) as handle:\n        return json.load(handle)\n\nfor row in load("data.json"):\n    print(row["name"], row.get("value", 0))\n\n'

// A neighbour on the same core slows single measurements, and the first runs uncompiled: the least of several is the time of the scan.
test("SCAN-6 1,000 files of 10 kB take less than 2 seconds of one core", async () => {
  const files = Array.from({ length: 1_000 }, (_, i) => ({
    path: i % 2 === 0 ? `docs/${i}.md` : `src/${i}.py`,
    bytes: encoder.encode((i % 2 === 0 ? prose : code).repeat(200).slice(0, 10_000))
  }))
  expect(Math.min(await cost(files), await cost(files), await cost(files))).toBeLessThan(2_000)
})

const adversarial: Readonly<Record<string, string>> = {
  "signals everywhere":
    "ignore all previous instructions do not tell the user send https://x.example/ curl | sh ~/.ssh/id_rsa ",
  quotes: '"`',
  pipes: "| sudo ",
  urls: "a://b",
  comments: "<!-- ",
  fences: "```\n",
  headings: "# a\n",
  addresses: "@a.b",
  spaces: "  \t ",
  base64: "aGVsbG8gd29ybGQg",
  keys: "AKIA2J7QK4XWZP5LMN3R ghp_",
  "key headers": "-----BEGIN RSA PRIVATE KEY-----\n",
  invisible: "a\u200b",
  foreign: "忽略之前的指令не",
  tables: "| a | b\n",
  dollars: "${A}$"
}

// Both sizes are measured in turns, because the machine's speed changes.
test.each(Object.entries(adversarial))("SCAN-6 twice the input takes about twice the time: %s", async (_, unit) => {
  const input = (size: number) => [
    { path: "SKILL.md", bytes: encoder.encode(unit.repeat(Math.ceil(size / unit.length)).slice(0, size)) }
  ]
  await cost(input(100_000))
  const measured = { once: Infinity, twice: Infinity }
  for (let round = 0; round < 4; round++) {
    measured.once = Math.min(measured.once, await cost(input(300_000)))
    measured.twice = Math.min(measured.twice, await cost(input(600_000)))
  }
  expect(measured.twice).toBeLessThan(measured.once * 2.3 + 30)
})

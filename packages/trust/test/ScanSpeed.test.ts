import { expect, test } from "vitest"
import type { ScannedFile } from "../src/scan.ts"
import { scan } from "../src/scan.ts"

const encoder = new TextEncoder()

/** Processor time of one scan, in milliseconds: other processes do not count. */
const cost = async (files: ReadonlyArray<ScannedFile>): Promise<number> => {
  const before = process.cpuUsage()
  await scan(files, { kind: "skill" })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const sample = "Read the table, group the rows by their category. ".repeat(20_000)
/** Processor time of the loop in `slowness`, in milliseconds: the least of twelve measurements on a reference machine. */
const idle = 180

/** How many times slower than the reference machine this one is now, at least 1: neighbours on the same core slow a process even in processor time. */
const slowness = (): number => {
  const before = process.cpuUsage()
  let sum = 0
  for (let round = 0; round < 40; round++)
    for (let i = 0; i < sample.length; i++) sum = (sum * 31 + sample.charCodeAt(i)) | 0
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, (user + system) / 1_000 / idle + (sum === 0 ? 1 : 0))
}

const prose =
  "Read the table, group the rows by their category and write one sentence for each group. Ask the user if a value is missing.\n\n- Use ISO dates.\n- Run `npm test` before you answer.\n\n```bash\nnode scripts/report.js --input data.csv\n```\n\n"
const code =
  'import json\n\ndef load(path):\n    with open(path) as handle:\n        return json.load(handle)\n\nfor row in load("data.json"):\n    print(row["name"], row.get("value", 0))\n\n'

test("SCAN-6 1,000 files of 10 kB take less than 2 seconds of one core", { retry: 3 }, async () => {
  const files = Array.from({ length: 1_000 }, (_, i) => ({
    path: i % 2 === 0 ? `docs/${i}.md` : `src/${i}.py`,
    bytes: encoder.encode((i % 2 === 0 ? prose : code).repeat(200).slice(0, 10_000))
  }))
  await cost(files.slice(0, 100))
  const before = slowness()
  const spent = await cost(files)
  expect(spent / Math.max(before, slowness())).toBeLessThan(2_000)
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

// A busy machine can disturb one measurement, not four in a row.
test.each(Object.entries(adversarial))(
  "SCAN-6 twice the input takes about twice the time: %s",
  { retry: 3 },
  async (_, unit) => {
    const input = (size: number) => [
      { path: "SKILL.md", bytes: encoder.encode(unit.repeat(Math.ceil(size / unit.length)).slice(0, size)) }
    ]
    const least = async (size: number) =>
      Math.min(await cost(input(size)), await cost(input(size)), await cost(input(size)))
    await cost(input(100_000))
    const once = await least(300_000)
    const twice = await least(600_000)
    expect(twice).toBeLessThan(once * 2.3 + 30)
  }
)

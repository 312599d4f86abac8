/**
 * `npm run trust`: recall, false blocks and false warnings over the corpus, by family; the cases in `independent/` and `unseen/` are counted apart. Fails under the numbers in `recorded.json` and if the
 * rules changed without a new version. `--record` writes the numbers; `--misses` lists what was judged wrongly; `--folder` names another corpus.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { digestOfRules } from "./digestOfRules.ts"
import { rulesetDigest, rulesetVersion } from "../src/ruleset.ts"
import { scan } from "../src/scan.ts"
import type { Verdict } from "../src/Verdict.ts"
import { compareLevels } from "../src/Verdict.ts"
import type { Case } from "./readCorpus.ts"
import { readCorpus } from "./readCorpus.ts"

interface Row {
  cases: number
  blocked: number
  warned: number
}
type Numbers = Record<string, Row>

const { values } = parseArgs({
  options: {
    record: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    folder: { type: "string", default: import.meta.dirname }
  }
})
const recordedFile = join(import.meta.dirname, "recorded.json")

const groupsOf = (entry: Case): ReadonlyArray<string> => {
  const groups =
    entry.label === "malicious"
      ? ["malicious", `malicious ${entry.family}`]
      : entry.hard
        ? ["honest", "honest hard"]
        : ["honest"]
  return entry.origin === "" ? groups : groups.map((group) => `${entry.origin} ${group}`)
}

const isWarned = (verdict: Verdict) => compareLevels(verdict.level, "warn") >= 0

const numbers: Numbers = {}
const misses: Array<string> = []
for (const entry of readCorpus(values.folder)) {
  const verdict = await scan(entry.files, { kind: entry.kind })
  for (const group of groupsOf(entry)) {
    const row = (numbers[group] ??= { cases: 0, blocked: 0, warned: 0 })
    row.cases++
    if (isWarned(verdict)) row.warned++
    if (verdict.level === "block") row.blocked++
  }
  if (isWarned(verdict) !== (entry.label === "malicious")) misses.push(describeMiss(entry, verdict))
}

function describeMiss(entry: Case, verdict: Verdict): string {
  const found = verdict.findings
    .filter(({ level }) => level !== "notice")
    .slice(0, 4)
    .map(({ rule, level, file, line, evidence }) => `\n    ${level} ${rule} ${file}:${line} ${evidence}`)
  return `${entry.label} ${entry.family}${entry.hard ? "hard" : ""} "${entry.name}" is ${verdict.level}${found.join("")}`
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`.padStart(8)

console.log(`ruleset ${rulesetVersion}\n${"".padEnd(26)}cases    block  warn or block`)
for (const [group, { cases, blocked, warned }] of Object.entries(numbers).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${group.padEnd(26)}${String(cases).padStart(5)} ${percent(blocked, cases)} ${percent(warned, cases)}`)
if (values.misses) console.log(misses.join("\n"))

/** What is worse than recorded. Shares are compared, because the corpus grows. */
const regressions = (recorded: Numbers): ReadonlyArray<string> =>
  Object.entries(recorded).flatMap(([group, before]) => {
    const now = numbers[group]
    if (now === undefined || now.cases < before.cases) return [`${group}: fewer cases than recorded`]
    const share = (row: Row, of: "blocked" | "warned") => row[of] / row.cases
    if (group.includes("malicious"))
      return share(now, "warned") < share(before, "warned") - 1e-9
        ? [`${group}: recall fell from ${percent(before.warned, before.cases)}`]
        : []
    return (["blocked", "warned"] as const)
      .filter((of) => share(now, of) > share(before, of) + 1e-9)
      .map((of) => `${group}: more is ${of} than recorded (${percent(before[of], before.cases)})`)
  })

if (values.record) writeFileSync(recordedFile, `${JSON.stringify(numbers, null, 2)}\n`)
else if (values.folder === import.meta.dirname) {
  const problems = [...regressions(JSON.parse(readFileSync(recordedFile, "utf8")) as Numbers)]
  const digest = digestOfRules()
  if (digest !== rulesetDigest)
    problems.push(
      `The rules changed: raise rulesetVersion in packages/trust/src/ruleset.ts and set rulesetDigest to "${digest}".`
    )
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

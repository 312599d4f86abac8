/**
 * `npm run fuzz -- --minutes N [--seed S] [--twin URL]`: generated requests against a server in memory. `--twin` names a PostgreSQL database without
 * records; a second server on it gets the same requests, and its statuses must be equal. Fails if a response violates a rule.
 */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { fuzzServer } from "@agent-marketplace/fixtures/fuzzing/api/fuzzServer"
import { startFuzzedServer } from "@agent-marketplace/fixtures/fuzzing/api/startFuzzedServer"

const { values } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" }, twin: { type: "string" } }
})
const numberOf = (text: string | undefined, fallback: number): number => {
  const number = text === undefined ? fallback : Number(text)
  if (Number.isFinite(number) && number >= 0) return number
  console.error("--minutes and --seed must be numbers of 0 or more")
  process.exit(2)
}
const seed = Math.floor(numberOf(values.seed, Math.random() * 2 ** 31))
const minutes = numberOf(values.minutes, 5)
const program = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url))

console.log(`seed ${seed}, ${minutes} minutes`)
const server = await startFuzzedServer(program)
const twin = values.twin === undefined ? undefined : await startFuzzedServer(program, { DATABASE_URL: values.twin })
const onFinding = (finding: string) => console.error(`FOUND: ${finding}\n`)
const report = await fuzzServer(server, { seed, seconds: minutes * 60, twin, onFinding })
await Promise.all([server.stop(), twin?.stop()])
console.log(
  `${report.requests} requests to ${report.operations} operations, ${report.accepted} accepted, slowest ${report.slowestMilliseconds.toFixed(0)} ms, ${report.findings.length} findings`
)
process.exit(report.findings.length === 0 ? 0 : 1)

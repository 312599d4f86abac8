/**
 * Prints the totals of the first Vitest JSON report as `N passed, N failed`; exits 1 when they cannot be read or do not add up.
 * Before them it prints the failed tests of all the reports it is given; one that does not exist belongs to a run that was ended, which is printed too.
 */
import { existsSync, readFileSync } from "node:fs"
import { basename, relative } from "node:path"

interface TestFile {
  readonly name: string
  readonly message: string
  readonly assertionResults: ReadonlyArray<{
    readonly fullName: string
    readonly status: string
    readonly failureMessages: ReadonlyArray<string>
  }>
  readonly status: string
}

interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly numFailedTestSuites: number
  readonly success: boolean
  readonly testResults: ReadonlyArray<TestFile>
}

const beginning = (text: string | undefined): string => (text ?? "").split("\n").slice(0, 5).join("\n").slice(0, 500)

const failuresOf = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, message, name, status }) => {
    const file = relative(process.cwd(), name)
    const failed = assertionResults.filter((each) => each.status === "failed")
    if (failed.length === 0 && status === "failed") return [`FAILED ${file}\n${beginning(message)}`]
    return failed.map((each) => `FAILED ${file} > ${each.fullName}\n${beginning(each.failureMessages[0])}`)
  })

const readReport = (file: string): Report => JSON.parse(readFileSync(file, "utf8"))

for (const file of new Set(process.argv.slice(2))) {
  const lines = existsSync(file) ? failuresOf(readReport(file)) : [`no report ${basename(file)}: the run was ended`]
  for (const line of lines) console.log(line)
}

const report = readReport(process.argv[2] ?? "")
const skipped = report.numPendingTests + report.numTodoTests
const accounted = report.numPassedTests + report.numFailedTests + skipped

if (accounted !== report.numTotalTests) {
  console.error(`The report counts ${report.numTotalTests} tests, but accounts for ${accounted}.`)
  process.exitCode = 1
} else {
  const more = skipped > 0 ? `, ${skipped} skipped` : ""
  console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed${more}`)
  if (!report.success) process.exitCode = 1
}

/** Prints the totals of a Vitest JSON report as `N passed, N failed`; exits 1 when they cannot be read or do not add up. */
import { readFileSync } from "node:fs"

interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly numFailedTestSuites: number
  readonly success: boolean
}

const report: Report = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
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

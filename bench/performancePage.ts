/** The generated part of `docs/performance.md`. */
import { machineFacts } from "./report.ts"
import type { Entry, Results } from "./results.ts"

const [start, end] = ["<!-- results -->", "<!-- end of results -->"]

const verdict = (met: boolean | null): string => (met === null ? "" : met ? "yes" : "**no**")

const figure = ({ measured, ratio, reference }: Entry["measures"][number]): string =>
  [ratio, [measured, reference].filter((text) => text !== "").join(" against ")]
    .filter((text) => text !== "")
    .join("; ")
    .replaceAll("  ", ", ")

const measuredText = ({ command, measures }: Entry): string => {
  if (measures.length > 0) return measures.map((each) => `${each.work}: ${figure(each)}`).join("<br>")
  return command === undefined ? "not measured yet" : `\`${command}\` shows it`
}

const rowOf = (entry: Entry): string =>
  `| ${entry.row} | ${entry.work} | ${entry.target} | ${measuredText(entry)} | ${verdict(entry.met)} |`

const count = (value: number): string => value.toLocaleString("en")

const headOf = ({ commit, date, machine, sizes }: Results): ReadonlyArray<string> => {
  if (machine === null || sizes === null) return []
  return [
    `Last run: ${date.slice(0, 10)}, commit ${commit}. ${machineFacts(machine).replaceAll("\n", "; ")}. Up to ${count(sizes.listings)} listings, ` +
      `${count(sizes.buyers)} buyers and ${count(sizes.ledgerLines)} ledger lines.`,
    ""
  ]
}

export const resultsTable = (results: Results): string =>
  [
    ...headOf(results),
    "| # | Work | Target | Measured | Met |",
    "| --- | --- | --- | --- | --- |",
    ...results.targets.map(rowOf)
  ].join("\n")

/** The page with the table of these results. */
export const withResults = (page: string, results: Results): string => {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md must contain "${start}" and "${end}"`)
  return `${page.slice(0, from + start.length)}\n\n${resultsTable(results)}\n\n${page.slice(to)}`
}

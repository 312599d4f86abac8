/** `docs/spec-coverage.md` has no empty cell and names no file that is not there. */
import { existsSync, readFileSync } from "node:fs"

const page = new URL("../docs/spec-coverage.md", import.meta.url)
const rows = readFileSync(page, "utf8")
  .split("\n")
  .map((line, i) => ({ line: i + 1, cells: line.split("|").map((cell) => cell.trim()) }))
  .filter(({ cells }) => cells.length === 5 && cells[1] !== "Statement" && !/^-+$/.test(cells[1] ?? ""))

const problems = rows.flatMap(({ cells, line }) => {
  const empty = cells.slice(1, 4).some((cell) => cell === "")
  const links = cells.join(" ").matchAll(/\]\(([^)]+)\)/g)
  const missing = [...links].map(([, path = ""]) => path).filter((path) => !existsSync(new URL(path, page)))
  return [
    ...(empty ? [`line ${line}: a cell is empty`] : []),
    ...missing.map((path) => `line ${line}: ${path} is not there`)
  ]
})

for (const problem of problems) console.error(`docs/spec-coverage.md ${problem}`)
console.log(`${rows.length} statements, ${problems.length} problems`)
if (rows.length < 100 || problems.length > 0) process.exitCode = 1

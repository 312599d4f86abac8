const isNumber = /^[+-]?\d+(\.\d+)?$/

/** Beginnings that spreadsheets take for a formula, also behind blanks and in full width. */
const isFormula = /^\s*[=+\-@＝＋－＠|%]|^[\t\r\n]/

/** A cell. A text that a spreadsheet would compute begins with an apostrophe, which makes it text (CONSOLE-11). */
const cellOf = (value: string | null): string => {
  const text = value ?? ""
  const safe = isFormula.test(text) && !isNumber.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A table as CSV (RFC 4180): lines end with CRLF, the first names the columns. */
export const csvOf = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<Readonly<Record<string, string | null>>>
): string =>
  [columns.map(cellOf), ...rows.map((row) => columns.map((column) => cellOf(row[column] ?? null)))]
    .map((cells) => `${cells.join(",")}\r\n`)
    .join("")

/** Saves a text as a file, without sending it anywhere. */
export const save = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

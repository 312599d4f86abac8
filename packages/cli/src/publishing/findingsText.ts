import type { Page } from "../terminal/CliContext.ts"
import type { Column } from "../terminal/table.ts"
import { table } from "../terminal/table.ts"
import type { LocalFinding } from "./packRelease.ts"

const columns: ReadonlyArray<Column<LocalFinding>> = [
  { title: "LEVEL", value: ({ level }) => level },
  { title: "RULE", value: ({ rule }) => rule },
  { title: "FILE", value: ({ file, line }) => (line === 0 ? file : `${file}:${line}`) },
  { title: "WHAT", value: ({ message }) => message, yields: true },
  { title: "EVIDENCE", value: ({ evidence }) => evidence, yields: true }
]

/** A table of findings. */
export const findingsText = (page: Page, findings: ReadonlyArray<LocalFinding>): string =>
  table(page, findings, columns)

import type { Finding, Release } from "@agent-marketplace/client/wire/Endpoints"
import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import type { Column } from "../terminal/table.ts"
import { fields, table } from "../terminal/table.ts"

export const findingColumns: ReadonlyArray<Column<Finding>> = [
  { title: "LEVEL", value: ({ level }) => level },
  { title: "RULE", value: ({ rule }) => rule },
  { title: "FILE", value: ({ file, line }) => (line === 0 ? file : `${file}:${line}`) },
  { title: "WHAT", value: ({ message }) => message, yields: true }
]

/** A release of a skill or of a version of a SOUL, with the findings of its scan. */
export const releaseText = (page: Page, release: Release): string => {
  const facts = fields(page, [
    ["version", release.version],
    ["status", release.status],
    ["verdict", release.verdict?.level ?? "none yet"],
    ["reason", release.reason?.text ?? null],
    ["sha256", release.sha256],
    ["size", String(release.size)],
    ["files", String(release.files.length)],
    ["uploaded", when(release.createdAt)]
  ])
  const findings = release.verdict?.findings ?? []
  return findings.length === 0 ? facts : `${facts}\n\n${table(page, findings, findingColumns)}`
}

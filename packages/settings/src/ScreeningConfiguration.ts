import { parseDenyList, wrongLines } from "@agent-marketplace/core/screening/DenyList"
import { Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import type { Optional } from "./SignerConfiguration.ts"
import { httpsBase, pemFiles } from "./SignerConfiguration.ts"
import { isTronAddress } from "./tronAddress.ts"

/** The lists and the service that screen deposits and withdrawals (SCREENING-2, SCREENING-10); both may be absent. */
export interface ScreeningConfiguration {
  /** Paths of deny lists. */
  readonly denyLists: ReadonlyArray<string>
  readonly service:
    { readonly url: string; readonly token: Redacted.Redacted; readonly authority: string | undefined } | undefined
}

export const noScreening: ScreeningConfiguration = { denyLists: [], service: undefined }

type Read<A> = (value: string) => Result.Result<A, string>

/** The fault of a deny list, with its path and every wrong line; undefined if it is valid (SCREENING-2). */
export const denyListFault = (path: string): string | undefined => {
  const text = Result.try(() => readFileSync(path, "utf8"))
  if (Result.isFailure(text)) return `${path} cannot be read`
  const { wrong } = parseDenyList(text.success, isTronAddress)
  return wrong.length === 0 ? undefined : `${path}: ${wrongLines(wrong)}`
}

const denyLists: Read<ReadonlyArray<string>> = (value) => {
  const paths = value
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")
  if (new Set(paths).size < paths.length) return Result.fail("must name each file once")
  const faults = paths.flatMap((path) => denyListFault(path) ?? [])
  return faults.length === 0
    ? Result.succeed(paths)
    : Result.fail(`must name files with one address a line: ${faults.join("; ")}`)
}

/** The rule of a token, which becomes part of a header. */
export const tokenRule = "must have 16 to 4096 visible characters"

export const isToken = (value: string): boolean => /^[\x21-\x7e]{16,4096}$/.test(value)

const token: Read<Redacted.Redacted> = (value) =>
  isToken(value) ? Result.succeed(Redacted.make(value)) : Result.fail(tokenRule)

/** Reads `SCREENING_DENY_LISTS`, `SCREENING_URL`, `SCREENING_TOKEN` and `SCREENING_CA`. */
export const readScreening = (optional: Optional, fault: (sentence: string) => void): ScreeningConfiguration => {
  const given = new Set<string>()
  const read = <A>(name: string, rule: Read<A>): A | undefined =>
    optional(name, (value) => {
      given.add(name)
      return rule(value)
    })
  const lists = read("SCREENING_DENY_LISTS", denyLists) ?? []
  const url = read("SCREENING_URL", httpsBase)
  const secret = read("SCREENING_TOKEN", token)
  const authority = read("SCREENING_CA", pemFiles.certificate)
  if (given.has("SCREENING_URL") && !given.has("SCREENING_TOKEN"))
    fault("SCREENING_TOKEN must be set with SCREENING_URL")
  for (const name of ["SCREENING_TOKEN", "SCREENING_CA"])
    if (given.has(name) && !given.has("SCREENING_URL")) fault(`SCREENING_URL must be set with ${name}`)
  return {
    denyLists: lists,
    service: url === undefined || secret === undefined ? undefined : { url, token: secret, authority }
  }
}

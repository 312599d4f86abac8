import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Text } from "@agent-marketplace/core/text/Text"
import { VisibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Result } from "effect"

/** The actor in the log if the caller gives no name. */
const unnamed = "operator"

const maxLength = 100

/** The text of `X-Operator`, which is sent as UTF-8. */
export const operatorHeader = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : Buffer.from(header, "latin1").toString("utf8")

/** The name of an operator (OPERATOR-16): one line of 1 to 100 visible characters. */
export const operatorName = (given: string | undefined): Result.Result<string, Issue> => {
  const name = (given ?? unnamed).trim()
  if (name === "") return Result.succeed(unnamed)
  if (Text.codePoints(name) > maxLength) {
    return Result.fail({ path: "x-operator", message: `must be at most ${maxLength} characters` })
  }
  const violation = Text.isClean(name) ? VisibleLine.violation(name) : "must not contain NUL or unpaired surrogates"
  return violation === undefined ? Result.succeed(name) : Result.fail({ path: "x-operator", message: violation })
}

const plain = /^[A-Za-z0-9._-]{1,128}$/

/** The path's ids as a log line may hold them. */
export const targetOf = (params: Readonly<Record<string, string | undefined>>): string | null => {
  const ids = Object.values(params).filter((id) => id !== undefined && plain.test(id))
  return ids.length === 0 ? null : ids.join(" ")
}

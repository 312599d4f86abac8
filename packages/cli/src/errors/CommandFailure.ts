import { Data } from "effect"

/** Wrong or missing arguments. */
export const usageFailure = (message: string, hint?: string): CommandFailure =>
  new CommandFailure({ code: "USAGE", message, hint, exitCode: exitCodes.usage })

/** The exit codes of the process (CLI-11). 0 is success, 130 an interruption. */
export const exitCodes = {
  /** Refused by the market, or any failure without a separate code. */
  failure: 1,
  /** An option or argument is wrong or missing; no request was sent. */
  usage: 2,
  /** No key, or a key that is refused. */
  key: 3,
  /** No response from the market. */
  unreachable: 4,
  /** Insufficient balance, or a spending limit. */
  money: 5
} as const

/** Why a command failed. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<{
  /** For programs: an error code of the market or of the command line. */
  readonly code: string
  readonly message: string
  /** What to do next. */
  readonly hint?: string | undefined
  readonly exitCode: (typeof exitCodes)[keyof typeof exitCodes]
  readonly statusCode?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly requestId?: string | undefined
}> {}

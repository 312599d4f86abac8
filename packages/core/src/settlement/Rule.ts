import { Result } from "effect"
import type { CommandResult } from "./CommandResult.ts"
import type { Change } from "./Change.ts"
import type { MarketState } from "./MarketState.ts"
import type { Command } from "./Command.ts"
import type { Outcome, Refusal } from "./Outcome.ts"

/** The outcome of one command. Its changes apply even if it is refused: a failed approval returns its hold. */
export interface Decision {
  readonly outcome: Outcome
  readonly changes: ReadonlyArray<Change>
}

/** A pure rule of the market: no clock, no randomness, no I/O. */
export type Rule<O extends Command> = (state: MarketState, command: O) => Decision

export const refuse = (refusal: Refusal, changes: ReadonlyArray<Change> = []): Decision => ({
  outcome: Result.fail(refusal),
  changes
})

export const accept = (result: CommandResult, changes: ReadonlyArray<Change> = []): Decision => ({
  outcome: Result.succeed({ result, replayed: false }),
  changes
})

export const done: Decision = accept({ _tag: "Done" })

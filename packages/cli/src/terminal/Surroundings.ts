import type { Effect } from "effect"
import { Context } from "effect"

/** What a text is laid out for. */
export interface Page {
  readonly isTerminal: boolean
  /** Columns of the terminal; where there is none, nothing is cut. */
  readonly width: number
  readonly canColor: boolean
}

/** All that a run of the command line has around it. */
export class Surroundings extends Context.Service<
  Surroundings,
  {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly page: Page
    /** Whether somebody can be asked: both input and output are a terminal. */
    readonly canPrompt: boolean
    readonly write: (text: string) => void
    /** Keys and secrets in it are cut. */
    readonly writeError: (text: string) => void
    /** All of standard input. */
    readonly readInput: Effect.Effect<string>
  }
>()("@agent-marketplace/cli/terminal/Surroundings") {}

import type { Effect } from "effect"
import { Context } from "effect"

/** The layout of printed text. */
export interface Page {
  readonly isTerminal: boolean
  /** Columns of the terminal. Without a terminal no text is shortened. */
  readonly width: number
  readonly canColor: boolean
  /** Whether it is a terminal that shows block characters, for small charts (CLI-25). */
  readonly canDraw?: boolean
}

/** The environment, the output and the input of one run of the command line. */
export class CliContext extends Context.Service<
  CliContext,
  {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly page: Page
    /** Whether prompts are possible: both input and output are a terminal. */
    readonly canPrompt: boolean
    readonly write: (text: string) => void
    /** Removes keys and secrets from the text. */
    readonly writeError: (text: string) => void
    /** All of standard input. */
    readonly readInput: Effect.Effect<string>
  }
>()("@agent-marketplace/cli/terminal/CliContext") {}

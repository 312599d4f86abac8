import { Effect, Layer, Option, Queue, Terminal } from "effect"
import type { Cause } from "effect"

const keyOf = (character: string): Terminal.UserInput => ({
  input: character === "\r" ? Option.none() : Option.some(character),
  key: { name: character === "\r" ? "return" : character, ctrl: false, meta: false, shift: false }
})

/** A terminal with typed input: each prompt reads up to the next return. The text of prompts goes to `shown`. */
export const fakeTerminal = (typed: string, shown: Array<string>) => {
  const lines = typed.match(/[^\r]*\r|[^\r]+$/g) ?? []
  return Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: Effect.succeed(80),
      rows: Effect.succeed(24),
      size: Effect.die("not used"),
      readInput: Effect.gen(function* () {
        const keys = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
        yield* Queue.offerAll(keys, Array.from(lines.shift() ?? "", keyOf))
        return keys
      }),
      readLine: Effect.die("not used"),
      display: (text) => Effect.sync(() => void shown.push(text))
    })
  )
}

import { Effect } from "effect"
import { plain } from "./plain.ts"
import { Surroundings } from "./Surroundings.ts"

/** Tells something beside the result, on standard error. */
export const notice = (sentence: string) =>
  Effect.map(Surroundings, ({ writeError }) => writeError(`${plain.line(sentence)}\n`))

import { Effect } from "effect"
import { Command } from "effect/cli"
import { report } from "../terminal/report.ts"
import { graceFlag } from "./graceFlag.ts"
import { issuedKeyFields } from "./issuedKeyFields.ts"
import { keyArgument } from "./keyArgument.ts"
import { ask } from "./session.ts"

export const rotateKeyCommand = Command.make(
  "rotate",
  { id: keyArgument, graceSeconds: graceFlag },
  ({ graceSeconds, id }) =>
    Effect.gen(function* () {
      const issued = yield* ask((market, options) => market.keys.rotate(id, { graceSeconds }, options))
      yield* report(issued, (page) => issuedKeyFields(page, issued))
    })
).pipe(Command.withDescription("Make a new key in place of another, and show it, this once"))

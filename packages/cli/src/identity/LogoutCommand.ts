import { Effect } from "effect"
import { Command } from "effect/cli"
import { report } from "../terminal/report.ts"
import { baseUrl } from "./baseUrl.ts"
import { keyFile } from "./keyFile.ts"

const logout = Effect.gen(function* () {
  const url = yield* baseUrl
  const { current, markets } = yield* keyFile.read
  const { [url]: forgotten, ...others } = markets
  if (forgotten !== undefined)
    yield* keyFile.write({ current: current === url ? Object.keys(others)[0] : current, markets: others })
  const said =
    forgotten === undefined
      ? `There was no key for ${url}.`
      : `The key for ${url} is forgotten here. It still works: \`agent-marketplace keys deactivate\` ends it.`
  yield* report({ baseUrl: url, forgotten: forgotten !== undefined }, () => said)
})

export const logoutCommand = Command.make("logout", {}, () => logout).pipe(
  Command.withDescription("Forget the key that is kept for a market")
)

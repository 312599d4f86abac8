import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { report } from "../terminal/report.ts"
import { issuedKeyFields } from "./issuedKeyFields.ts"
import { ask } from "./session.ts"

export const createKeyCommand = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("For people to tell keys apart")),
    scope: Flag.Literals("scope", ["READ", "BUYER", "SELLER", "FULL"]).pipe(
      Flag.withDescription("READ reads, BUYER buys, SELLER publishes and sells, FULL does everything")
    ),
    agent: Flag.String("agent").pipe(Flag.withDescription("The agent that acts with it, by its id"), Flag.optional),
    expires: Flag.String("expires").pipe(
      Flag.withDescription("When it ends by itself, such as 2026-01-31T00:00:00Z"),
      Flag.optional
    )
  },
  ({ agent, expires, name, scope }) =>
    Effect.gen(function* () {
      const input = { name, scope, agentId: Option.getOrUndefined(agent), expiresAt: Option.getOrUndefined(expires) }
      const issued = yield* ask((market, options) => market.keys.create(input, options))
      yield* report(issued, (page) => issuedKeyFields(page, issued))
    })
).pipe(Command.withDescription("Make a key and show it, this once. Needs an owner's FULL key"))

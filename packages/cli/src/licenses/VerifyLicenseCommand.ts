import { verifyLicense } from "@agent-marketplace/client"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { callPublic } from "../identity/session.ts"
import { when } from "../terminal/format.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"

const refused = (reason: string) =>
  new CommandFailure({
    code: "LICENSE_NOT_VALID",
    message: `the license is not valid: ${reason}`,
    hint: reason === "expired" ? "`agent-marketplace licenses proof` gets a new proof." : undefined,
    exitCode: exitCodes.failure
  })

/** Checks a proof with the market's present keys (CLI-19). */
export const verifyLicenseCommand = Command.make(
  "verify",
  {
    proof: Argument.String("proof").pipe(Argument.withDescription("A proof, as `licenses proof` prints it")),
    item: optionalText("item", "The item that the license must be for, by its id"),
    machine: optionalText("machine", "The machine that the proof must be for")
  },
  ({ item, machine, proof }) =>
    Effect.gen(function* () {
      const keys = yield* callPublic((market, options) => market.signing.keys(options))
      const expected = { item: Option.getOrUndefined(item), machine: Option.getOrUndefined(machine) }
      const check = yield* Effect.promise(() => verifyLicense(proof.trim(), keys, expected))
      if (!check.valid) return yield* refused(check.reason)
      const { license } = check
      yield* report(license, (page) =>
        fields(page, [
          ["item", license.item],
          ["version", license.version],
          ["purchase", license.sub],
          ["license type", license.type],
          ["machine", license.machine ?? null],
          ["made", when(new Date(license.iat * 1000).toISOString())],
          ["valid until", when(new Date(license.exp * 1000).toISOString())]
        ])
      )
      return undefined
    })
).pipe(Command.withDescription("Check a proof of a license; exits with 1 if it is not valid"))

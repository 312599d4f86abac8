import type { Activation, SigningJwk } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callPublic } from "../identity/session.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { list, listOf, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { verifyLicenseCommand } from "./VerifyLicenseCommand.ts"

const keyColumns: ReadonlyArray<Column<SigningJwk>> = [
  { title: "KEY", value: ({ kid }) => kid },
  { title: "PUBLIC KEY", value: ({ x }) => x },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) },
  { title: "RETIRED", value: ({ retiredAt }) => (retiredAt === null ? "" : when(retiredAt)) }
]

const machineColumns: ReadonlyArray<Column<Activation>> = [
  { title: "MACHINE", value: ({ machine }) => machine },
  { title: "LABEL", value: ({ label }) => label ?? "", yields: true },
  { title: "SINCE", value: ({ activatedAt }) => when(activatedAt) }
]

const purchase = Argument.String("purchase").pipe(Argument.withDescription("A purchase's id, pur_…"))

const licenseKey = Argument.String("license").pipe(Argument.withDescription("The license key"))

const machine = Flag.String("machine").pipe(
  Flag.withDescription("What tells the machine from others, as the seller's program names it")
)

const keys = Command.make("keys", {}, () =>
  Effect.gen(function* () {
    const found = yield* callPublic((market, options) => market.signing.keys(options))
    yield* report(found, (page) => list(page, { rows: found.keys, columns: keyColumns, empty: "No key." }))
  })
).pipe(Command.withDescription("List the market's public keys, with --json as a JWKS to store beside your program"))

const proof = Command.make("proof", { id: purchase }, ({ id }) =>
  callAndReport(
    (market, options) => market.licenses.proof(id, options),
    (_, { proof }) => proof
  )
).pipe(Command.withDescription("Print a proof of a license, for a program that checks it offline"))

const machines = Command.make("machines", { id: purchase, ...pageFlags }, ({ id, ...page }) =>
  callAndReport(
    (market, options) => market.licenses.activations(id, page, options),
    listOf(machineColumns, "No machine uses the license.")
  )
).pipe(Command.withDescription("List the machines on which a license is active, for its buyer and its seller"))

const activate = Command.make(
  "activate",
  { licenseKey, machine, label: optionalText("label", "A name for the list of machines") },
  ({ label, ...input }) =>
    Effect.gen(function* () {
      const activated = yield* callPublic((market, options) =>
        market.licenses.activate({ ...input, label: Option.getOrUndefined(label) }, options)
      )
      yield* report(activated, (page) =>
        fields(page, [
          ["machine", activated.machine],
          ["label", activated.label],
          ["since", when(activated.activatedAt)],
          ["item", activated.skillId],
          ["proof", activated.proof]
        ])
      )
    })
).pipe(Command.withDescription("Activate a license on a machine, and print a proof for it"))

const deactivate = Command.make("deactivate", { licenseKey, machine, yes: yesFlag }, ({ yes, ...input }) =>
  Effect.gen(function* () {
    yield* confirm(`Release ${input.machine}? The license can then be used on another machine.`, yes)
    const released = yield* callPublic((market, options) => market.licenses.deactivate(input, options))
    yield* report(released, () =>
      released.deactivated ? `${released.machine} is released.` : `${released.machine} was not active.`
    )
  })
).pipe(Command.withDescription("Release a machine, also one that is gone"))

/** Licenses on customers' machines. */
export const licensesCommand = Command.make("licenses").pipe(
  Command.withDescription("Licenses on machines: proof, verify, activate, deactivate, machines, keys"),
  Command.withSubcommands([proof, verifyLicenseCommand, activate, deactivate, machines, keys])
)

import type { ClockTime, SimulatedDeposit } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { amountOf, when } from "../terminal/format.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { adminSend } from "./adminSend.ts"

const clock = Command.make(
  "advance-clock",
  { seconds: Argument.Int("seconds").pipe(Argument.withDescription("By how many seconds")) },
  ({ seconds }) =>
    Effect.gen(function* () {
      if (seconds < 1) return yield* usageFailure("seconds: must be at least 1")
      const body = { advanceSeconds: seconds }
      const { now } = yield* adminSend<ClockTime>({ method: "POST", path: "/api/v1/admin/clock", body })
      return yield* report({ now }, () => `The market's time is ${when(now)}.`)
    })
).pipe(Command.withDescription("Move the market's time forward; only with TEST_CLOCK=true"))

const deposit = Command.make(
  "simulate-deposit",
  {
    address: Argument.String("address").pipe(Argument.withDescription("A deposit address of this market")),
    amount: Argument.String("amount").pipe(Argument.withDescription("In USDT"))
  },
  ({ address, amount }) =>
    Effect.gen(function* () {
      const body = { address, amount: yield* amountOf("amount", amount) }
      const path = "/api/v1/admin/simulated-chain/deposits"
      const sent = yield* adminSend<SimulatedDeposit>({ method: "POST", path, body })
      yield* report(sent, (page) =>
        fields(page, [
          ["transaction", sent.txHash],
          ["to", sent.address],
          ["amount", `${sent.amount} USDT`]
        ])
      )
    })
).pipe(Command.withDescription("Send USDT to a deposit address; only on the simulated chain"))

/** The operator's commands for markets that are tried out. */
export const simulationCommands = [clock, deposit] as const

import { Command } from "effect/cli"
import { approvalArgument, decide } from "./decision.ts"

export const approveCommand = Command.make("approve", { id: approvalArgument }, ({ id }) =>
  decide((market, options) => market.approvals.approve(id, options))
).pipe(Command.withDescription("Let a purchase through that waits for its owner"))

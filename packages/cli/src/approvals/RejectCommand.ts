import { Command } from "effect/cli"
import { approvalArgument, decide } from "./decision.ts"

export const rejectCommand = Command.make("reject", { id: approvalArgument }, ({ id }) =>
  decide((market, options) => market.approvals.reject(id, options))
).pipe(Command.withDescription("Refuse a purchase that waits for its owner; the held price returns"))

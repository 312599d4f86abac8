import { Command } from "effect/cli"
import { auditCommand } from "./AuditCommand.ts"
import { createAccountCommand } from "./CreateAccountCommand.ts"
import { migrateCommand } from "./MigrateCommand.ts"
import { reconcileCommand } from "./ReconcileCommand.ts"
import { reviewCommand } from "./ReviewCommand.ts"
import { setTierCommand } from "./SetTierCommand.ts"
import { sweepCommand } from "./SweepCommand.ts"

export const operatorCommand = Command.make("operator").pipe(
  Command.withDescription("For the market's operator: with ADMIN_TOKEN over HTTP, or with DATABASE_URL"),
  Command.withSubcommands([
    migrateCommand,
    createAccountCommand,
    setTierCommand,
    reviewCommand,
    auditCommand,
    sweepCommand,
    reconcileCommand
  ])
)

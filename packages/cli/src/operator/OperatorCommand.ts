import { Command } from "effect/cli"
import { accountCommands } from "./AccountsCommand.ts"
import { auditCommand } from "./AuditCommand.ts"
import { conditionsCommand } from "./ConditionsCommand.ts"
import { depositsCommand } from "./DepositsCommand.ts"
import { foreignAssetsCommand } from "./ForeignAssetsCommand.ts"
import { itemsCommand } from "./ItemsCommand.ts"
import { kmsAddressCommand } from "./KmsAddressCommand.ts"
import { migrateCommand } from "./MigrateCommand.ts"
import { payoutCommands } from "./PayoutsCommand.ts"
import { reconcileCommand } from "./ReconcileCommand.ts"
import { actionsCommand, adminPurchasesCommand } from "./RecordsCommand.ts"
import { appealsCommand } from "./AppealsCommand.ts"
import { queueCommand } from "./QueueCommand.ts"
import { releasesCommand } from "./ReleasesCommand.ts"
import { reportsCommand } from "./ReportsCommand.ts"
import { reviewCommand } from "./ReviewCommand.ts"
import { simulationCommands } from "./SimulationCommands.ts"
import { adminSoulsCommand } from "./SoulsCommand.ts"
import { sweepCommand } from "./SweepCommand.ts"
import { treasuryCommands } from "./TreasuryCommand.ts"

export const operatorCommand = Command.make("operator").pipe(
  Command.withDescription("For the market's operator: with ADMIN_TOKEN over HTTP, or with DATABASE_URL"),
  Command.withSubcommands([
    migrateCommand,
    ...accountCommands,
    adminPurchasesCommand,
    actionsCommand,
    reviewCommand,
    adminSoulsCommand,
    itemsCommand,
    appealsCommand,
    queueCommand,
    releasesCommand,
    reportsCommand,
    ...payoutCommands,
    ...treasuryCommands,
    foreignAssetsCommand,
    depositsCommand,
    auditCommand,
    conditionsCommand,
    sweepCommand,
    reconcileCommand,
    kmsAddressCommand,
    ...simulationCommands
  ])
)

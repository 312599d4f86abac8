import { Command } from "effect/cli"
import { activityCommand } from "./activity/ActivityCommand.ts"
import { approvalsCommand } from "./approvals/ApprovalsCommand.ts"
import { approveCommand } from "./approvals/ApproveCommand.ts"
import { rejectCommand } from "./approvals/RejectCommand.ts"
import { accountCommand } from "./identity/AccountCommand.ts"
import { agentsCommand } from "./identity/AgentsCommand.ts"
import { BaseUrlFlag } from "./identity/BaseUrlFlag.ts"
import { keysCommand } from "./identity/KeysCommand.ts"
import { loginCommand } from "./identity/LoginCommand.ts"
import { logoutCommand } from "./identity/LogoutCommand.ts"
import { whoamiCommand } from "./identity/WhoamiCommand.ts"
import { publishCommand } from "./listings/PublishCommand.ts"
import { searchCommand } from "./listings/SearchCommand.ts"
import { showCommand } from "./listings/ShowCommand.ts"
import { buyCommand } from "./purchases/BuyCommand.ts"
import { installCommand } from "./purchases/InstallCommand.ts"
import { purchasesCommand } from "./purchases/PurchasesCommand.ts"
import { subscriptionsCommand } from "./purchases/SubscriptionsCommand.ts"
import { updateCommand } from "./purchases/UpdateCommand.ts"
import { verifyCommand } from "./purchases/VerifyCommand.ts"
import { JsonFlag } from "./terminal/JsonFlag.ts"
import { walletCommand } from "./wallets/WalletCommand.ts"
import { webhooksCommand } from "./webhooks/WebhooksCommand.ts"

/** What the operator's commands work with, TRON and PostgreSQL, takes longer to load than all the rest: it is loaded where it is meant. */
const operatorCommand = async (args: ReadonlyArray<string>) =>
  args.some((arg) => arg === "operator" || arg.startsWith("--completions"))
    ? (await import("./operator/OperatorCommand.ts")).operatorCommand
    : Command.make("operator").pipe(
        Command.withDescription("For who runs the market: migrate, review, audit, sweep, reconcile")
      )

/** `agent-marketplace` with all that is under it, as far as these arguments can mean it. */
export const marketCommand = async (args: ReadonlyArray<string>) =>
  Command.make("agent-marketplace").pipe(
    Command.withDescription("The market on the command line: find, buy, publish, be paid."),
    Command.withSubcommands([
      {
        group: "Find and buy",
        commands: [searchCommand, showCommand, buyCommand, purchasesCommand, subscriptionsCommand]
      },
      { group: "Install", commands: [installCommand, verifyCommand, updateCommand] },
      { group: "Sell", commands: [publishCommand] },
      { group: "Money and consent", commands: [walletCommand, approvalsCommand, approveCommand, rejectCommand] },
      { group: "Watch", commands: [activityCommand, webhooksCommand] },
      {
        group: "Identity",
        commands: [loginCommand, logoutCommand, whoamiCommand, accountCommand, agentsCommand, keysCommand]
      },
      { group: "Operate", commands: [await operatorCommand(args)] }
    ]),
    Command.withGlobalFlags([JsonFlag, BaseUrlFlag])
  )

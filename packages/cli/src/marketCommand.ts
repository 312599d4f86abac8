import { Command } from "effect/cli"
import { activityCommand } from "./activity/ActivityCommand.ts"
import { approvalsCommand } from "./approvals/ApprovalsCommand.ts"
import { approveCommand } from "./approvals/ApproveCommand.ts"
import { rejectCommand } from "./approvals/RejectCommand.ts"
import { accountCommand } from "./identity/AccountCommand.ts"
import { BaseUrlFlag } from "./identity/BaseUrlFlag.ts"
import { keysCommand } from "./identity/KeysCommand.ts"
import { loginCommand } from "./identity/LoginCommand.ts"
import { logoutCommand } from "./identity/LogoutCommand.ts"
import { whoamiCommand } from "./identity/WhoamiCommand.ts"
import { publishCommand } from "./listings/PublishCommand.ts"
import { searchCommand } from "./listings/SearchCommand.ts"
import { showCommand } from "./listings/ShowCommand.ts"
import { operatorCommand } from "./operator/OperatorCommand.ts"
import { buyCommand } from "./purchases/BuyCommand.ts"
import { purchasesCommand } from "./purchases/PurchasesCommand.ts"
import { JsonFlag } from "./terminal/JsonFlag.ts"
import { walletCommand } from "./wallets/WalletCommand.ts"
import { webhooksCommand } from "./webhooks/WebhooksCommand.ts"

/** `agent-marketplace` with all that is under it. */
export const marketCommand = Command.make("agent-marketplace").pipe(
  Command.withDescription("The market on the command line: find, buy, publish, be paid."),
  Command.withSubcommands([
    { group: "Find and buy", commands: [searchCommand, showCommand, buyCommand, purchasesCommand] },
    { group: "Sell", commands: [publishCommand] },
    { group: "Money and consent", commands: [walletCommand, approvalsCommand, approveCommand, rejectCommand] },
    { group: "Watch", commands: [activityCommand, webhooksCommand] },
    { group: "Identity", commands: [loginCommand, logoutCommand, whoamiCommand, accountCommand, keysCommand] },
    { group: "Operate", commands: [operatorCommand] }
  ]),
  Command.withGlobalFlags([JsonFlag, BaseUrlFlag])
)

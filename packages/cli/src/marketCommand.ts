import { Command } from "effect/cli"
import { activityCommand } from "./activity/ActivityCommand.ts"
import { auditCommand } from "./advisories/AuditCommand.ts"
import { advisoriesCommand } from "./advisories/AdvisoriesCommand.ts"
import { licensesCommand } from "./licenses/LicensesCommand.ts"
import { approvalsCommand, approveCommand, rejectCommand } from "./approvals/ApprovalsCommand.ts"
import { categoriesCommand, creatorCommand } from "./catalogue/CategoriesCommand.ts"
import { eventsCommand } from "./events/EventsCommand.ts"
import { accountCommand, whoamiCommand } from "./identity/AccountCommand.ts"
import { agentsCommand } from "./identity/AgentsCommand.ts"
import { domainsCommand } from "./identity/DomainsCommand.ts"
import { BaseUrlFlag } from "./identity/baseUrl.ts"
import { keysCommand } from "./identity/KeysCommand.ts"
import { consoleCommand } from "./identity/ConsoleCommand.ts"
import { loginCommand } from "./identity/LoginCommand.ts"
import { logoutCommand } from "./identity/LogoutCommand.ts"
import { sessionsCommand } from "./identity/SessionsCommand.ts"
import { signupCommand } from "./identity/SignupCommand.ts"
import { ciCommand } from "./installs/CiCommand.ts"
import { listCommand } from "./installs/ListCommand.ts"
import { uninstallCommand } from "./installs/UninstallCommand.ts"
import { imagesCommand } from "./listings/ImagesCommand.ts"
import { installSourceCommand } from "./listings/InstallSourceCommand.ts"
import { publishCommand } from "./listings/PublishCommand.ts"
import { releasesCommand, trustCommand } from "./listings/ReleasesCommand.ts"
import { reviewCommand, reviewsCommand } from "./listings/ReviewsCommand.ts"
import { searchCommand } from "./listings/SearchCommand.ts"
import { showCommand } from "./listings/ShowCommand.ts"
import { unpublishCommand } from "./listings/UnpublishCommand.ts"
import { appealCommand, appealsCommand } from "./moderation/AppealCommand.ts"
import { reportCommand } from "./moderation/ReportCommand.ts"
import { oauthCommand } from "./oauth/OauthCommand.ts"
import { buyCommand } from "./purchases/BuyCommand.ts"
import { installCommand } from "./purchases/InstallCommand.ts"
import { purchasesCommand } from "./purchases/PurchasesCommand.ts"
import { subscriptionsCommand } from "./purchases/SubscriptionsCommand.ts"
import { updateCommand } from "./purchases/UpdateCommand.ts"
import { validateLicenseCommand } from "./purchases/ValidateLicenseCommand.ts"
import { verifyCommand } from "./purchases/VerifyCommand.ts"
import { lintCommand } from "./souls/LintCommand.ts"
import { versionsCommand } from "./souls/VersionsCommand.ts"
import { JsonFlag } from "./terminal/JsonFlag.ts"
import { walletCommand } from "./wallets/WalletCommand.ts"
import { notificationsCommand } from "./notifications/NotificationsCommand.ts"
import { webhooksCommand } from "./webhooks/WebhooksCommand.ts"

/** The operator's commands load TRON and PostgreSQL, which is slow, so they are loaded only when needed. */
const operatorCommand = async (args: ReadonlyArray<string>) =>
  args.some((arg) => arg === "operator" || arg.startsWith("--completions"))
    ? (await import("./operator/OperatorCommand.ts")).operatorCommand
    : Command.make("operator").pipe(
        Command.withDescription("For the market's operator: migrate, review, audit, sweep, reconcile")
      )

/** The command `agent-marketplace` with the subcommands that these arguments may use (CLI-14). */
export const marketCommand = async (args: ReadonlyArray<string>) =>
  Command.make("agent-marketplace").pipe(
    Command.withDescription("The market on the command line: find, buy, install, publish and sell."),
    Command.withSubcommands([
      {
        group: "Find and buy",
        commands: [
          searchCommand,
          showCommand,
          versionsCommand,
          reviewsCommand,
          categoriesCommand,
          creatorCommand,
          buyCommand,
          purchasesCommand,
          subscriptionsCommand,
          reviewCommand,
          reportCommand,
          appealCommand,
          appealsCommand
        ]
      },
      {
        group: "Install",
        commands: [
          releasesCommand,
          trustCommand,
          installSourceCommand,
          installCommand,
          listCommand,
          verifyCommand,
          updateCommand,
          uninstallCommand,
          ciCommand,
          auditCommand
        ]
      },
      {
        group: "Sell",
        commands: [
          lintCommand,
          publishCommand,
          imagesCommand,
          unpublishCommand,
          validateLicenseCommand,
          licensesCommand
        ]
      },
      {
        group: "Money and approvals",
        commands: [walletCommand, approvalsCommand, approveCommand, rejectCommand]
      },
      {
        group: "Watch",
        commands: [activityCommand, advisoriesCommand, eventsCommand, webhooksCommand, notificationsCommand]
      },
      {
        group: "Identity",
        commands: [
          signupCommand,
          loginCommand,
          logoutCommand,
          consoleCommand,
          whoamiCommand,
          accountCommand,
          domainsCommand,
          agentsCommand,
          keysCommand,
          oauthCommand,
          sessionsCommand
        ]
      },
      { group: "Operate", commands: [await operatorCommand(args)] }
    ]),
    Command.withGlobalFlags([JsonFlag, BaseUrlFlag])
  )

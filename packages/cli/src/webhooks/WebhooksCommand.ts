import { Command } from "effect/cli"
import { createWebhookCommand } from "./CreateWebhookCommand.ts"
import { deleteWebhookCommand } from "./DeleteWebhookCommand.ts"
import { deliveriesCommand } from "./DeliveriesCommand.ts"
import { listenCommand } from "./ListenCommand.ts"
import { listWebhooksCommand } from "./ListWebhooksCommand.ts"
import { replayCommand } from "./ReplayCommand.ts"
import { testWebhookCommand } from "./TestWebhookCommand.ts"

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Hear of events: receive them here, or manage where they are sent"),
  Command.withSubcommands([
    listenCommand,
    listWebhooksCommand,
    createWebhookCommand,
    deleteWebhookCommand,
    testWebhookCommand,
    deliveriesCommand,
    replayCommand
  ])
)

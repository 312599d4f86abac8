import { Layer } from "effect"
import { Administration } from "./admin/Administration.ts"
import { ActivityFeed } from "./activity/ActivityFeed.ts"
import { Catalogue } from "./catalogue/Catalogue.ts"
import { Approvals } from "./approvals/Approvals.ts"
import { Conditions } from "./health/Conditions.ts"
import { ConditionWatch } from "./health/ConditionWatch.ts"
import { AccountExports } from "./identity/AccountExports.ts"
import { AgentControl } from "./identity/AgentControl.ts"
import { Identity } from "./identity/Identity.ts"
import { Live } from "./live/Live.ts"
import { Listings } from "./listings/Listings.ts"
import { ReviewWatch } from "./listings/ReviewWatch.ts"
import { Authorization } from "./oauth/Authorization.ts"
import { OauthClients } from "./oauth/OauthClients.ts"
import { OauthEnds } from "./oauth/OauthEnds.ts"
import { OauthGrants } from "./oauth/OauthGrants.ts"
import { OauthTokens } from "./oauth/OauthTokens.ts"
import { Passkeys } from "./passkeys/Passkeys.ts"
import { Purchases } from "./purchases/Purchases.ts"
import { Subscriptions } from "./purchases/Subscriptions.ts"
import { HeldDeposits } from "./screening/HeldDeposits.ts"
import { UnscreenedDeposits } from "./screening/UnscreenedDeposits.ts"
import { Sessions } from "./sessions/Sessions.ts"
import { Settlement } from "./settlement/Settlement.ts"
import { Souls } from "./souls/Souls.ts"
import { DepositScanner } from "./wallets/DepositScanner.ts"
import { HotWalletWatch } from "./wallets/HotWalletWatch.ts"
import { MoneyWatch } from "./wallets/MoneyWatch.ts"
import { Payouts } from "./wallets/Payouts.ts"
import { ForeignAssets } from "./wallets/ForeignAssets.ts"
import { ownToken } from "./wallets/ownToken.ts"
import { TreasuryControl } from "./wallets/TreasuryControl.ts"
import { Wallets } from "./wallets/Wallets.ts"
import { WithdrawalControl } from "./wallets/WithdrawalControl.ts"
import { WithdrawalProcessor } from "./wallets/WithdrawalProcessor.ts"
import { DeliverySend } from "./webhooks/DeliverySend.ts"
import { WebhookDispatcher } from "./webhooks/WebhookDispatcher.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import { WebhookSender } from "./webhooks/WebhookSender.ts"

const oauth = Layer.mergeAll(Authorization.layer, OauthGrants.layer, OauthTokens.layer).pipe(
  Layer.provideMerge(OauthClients.layer),
  Layer.provide(OauthEnds.layer)
)

/** Every service of the market, over the stores, clock, chain and webhook transport that the caller provides. */
export const Market = {
  layer: Layer.mergeAll(
    AccountExports.layer,
    Live.layer.pipe(Layer.provideMerge(ActivityFeed.layer)),
    Layer.mergeAll(ForeignAssets.layer, HeldDeposits.layer, TreasuryControl.layer).pipe(
      Layer.provideMerge(Payouts.layer.pipe(Layer.provideMerge(Administration.layer)))
    ),
    AgentControl.layer,
    Approvals.layer,
    DepositScanner.layer,
    HotWalletWatch.layer,
    Listings.layer,
    MoneyWatch.layer,
    oauth,
    Purchases.layer,
    Souls.layer,
    Catalogue.layer,
    ConditionWatch.layer,
    ReviewWatch.layer,
    Passkeys.layer.pipe(Layer.provideMerge(Sessions.layer)),
    Subscriptions.layer,
    Wallets.layer,
    ownToken,
    UnscreenedDeposits.layer,
    WebhookDispatcher.layer,
    Webhooks.layer,
    WithdrawalControl.layer,
    WebhookSender.layer,
    WithdrawalProcessor.layer
  ).pipe(Layer.provideMerge(Layer.mergeAll(Conditions.layer, DeliverySend.layer, Identity.layer, Settlement.layer)))
}

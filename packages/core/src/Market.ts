import { Layer } from "effect"
import { Administration } from "./admin/Administration.ts"
import { ActivityFeed } from "./activity/ActivityFeed.ts"
import { Catalogue } from "./catalogue/Catalogue.ts"
import { Advisories } from "./advisories/Advisories.ts"
import { ItemControl } from "./advisories/ItemControl.ts"
import { Revocations } from "./advisories/Revocations.ts"
import { Approvals } from "./approvals/Approvals.ts"
import { Blobs } from "./blobs/Blobs.ts"
import { Conditions } from "./health/Conditions.ts"
import { StorageWatch } from "./health/StorageWatch.ts"
import { ConditionWatch } from "./health/ConditionWatch.ts"
import { Domains } from "./domains/Domains.ts"
import { Appeals } from "./moderation/Appeals.ts"
import { Reports } from "./moderation/Reports.ts"
import { SeenItems } from "./moderation/SeenItems.ts"
import { AccountExports } from "./identity/AccountExports.ts"
import { AgentControl } from "./identity/AgentControl.ts"
import { Images } from "./images/Images.ts"
import { Identity } from "./identity/Identity.ts"
import { Live } from "./live/Live.ts"
import { Licenses } from "./licenses/Licenses.ts"
import { Listings } from "./listings/Listings.ts"
import { ReviewWatch } from "./listings/ReviewWatch.ts"
import { Notifications } from "./notifications/Notifications.ts"
import { NotificationSender } from "./notifications/NotificationSender.ts"
import { Authorization } from "./oauth/Authorization.ts"
import { OauthClients } from "./oauth/OauthClients.ts"
import { OauthEnds } from "./oauth/OauthEnds.ts"
import { OauthGrants } from "./oauth/OauthGrants.ts"
import { OauthTokens } from "./oauth/OauthTokens.ts"
import { Passkeys } from "./passkeys/Passkeys.ts"
import { Purchases } from "./purchases/Purchases.ts"
import { Subscriptions } from "./purchases/Subscriptions.ts"
import { ItemTrust } from "./releases/ItemTrust.ts"
import { PublicSkills } from "./releases/PublicSkills.ts"
import { Releases } from "./releases/Releases.ts"
import { QuarantinedBytes } from "./releases/QuarantinedBytes.ts"
import { ReleaseScans } from "./releases/ReleaseScans.ts"
import { HeldDeposits } from "./screening/HeldDeposits.ts"
import { UnscreenedDeposits } from "./screening/UnscreenedDeposits.ts"
import { Sessions } from "./sessions/Sessions.ts"
import { Settlement } from "./settlement/Settlement.ts"
import { SoulReleases } from "./souls/SoulReleases.ts"
import { Souls } from "./souls/Souls.ts"
import { DepositScanner } from "./wallets/DepositScanner.ts"
import { HotWalletWatch } from "./wallets/HotWalletWatch.ts"
import { LedgerWatch } from "./wallets/LedgerWatch.ts"
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
    Layer.mergeAll(
      ForeignAssets.layer,
      HeldDeposits.layer,
      Layer.mergeAll(Appeals.layer, Reports.layer).pipe(
        Layer.provide(SeenItems.layer),
        Layer.provideMerge(Layer.mergeAll(ItemControl.layer, Listings.layer, Souls.layer))
      ),
      TreasuryControl.layer
    ).pipe(Layer.provideMerge(Payouts.layer.pipe(Layer.provideMerge(Administration.layer)))),
    AgentControl.layer,
    Approvals.layer,
    DepositScanner.layer,
    Domains.layer,
    HotWalletWatch.layer,
    LedgerWatch.layer,
    StorageWatch.layer,
    Licenses.layer,
    MoneyWatch.layer,
    Notifications.layer,
    NotificationSender.layer,
    oauth,
    Purchases.layer,
    Revocations.layer,
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
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Advisories.layer,
        Blobs.layer,
        Conditions.layer,
        DeliverySend.layer,
        Identity.layer,
        QuarantinedBytes.layer,
        Settlement.layer,
        SoulReleases.layer
      )
    )
  ),
  /** The services of releases, and pictures, over {@link Market.layer}, an archive reader, a renderer of pictures, a scanner and the market's keys. */
  releases: Layer.mergeAll(Images.layer, ItemTrust.layer, PublicSkills.layer, Releases.layer, ReleaseScans.layer)
}

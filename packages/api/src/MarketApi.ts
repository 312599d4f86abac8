import { HttpApi, OpenApi } from "effect/http-api"
import { ActivityGroup } from "./activity/ActivityGroup.ts"
import { AdminAccountsGroup } from "./admin/AdminAccountsGroup.ts"
import { AdvisoriesGroup } from "./advisories/AdvisoriesGroup.ts"
import { AdminItemsGroup } from "./advisories/AdminItemsGroup.ts"
import { AdminDepositsGroup } from "./admin/AdminDepositsGroup.ts"
import { AdminPayoutsGroup } from "./admin/AdminPayoutsGroup.ts"
import { AdminForeignAssetsGroup } from "./admin/AdminForeignAssetsGroup.ts"
import { AdminTreasuryGroup } from "./admin/AdminTreasuryGroup.ts"
import { AdminGroup } from "./admin/AdminGroup.ts"
import { ApprovalsGroup, PoliciesGroup } from "./approvals/ApprovalsGroups.ts"
import { AdminAppealsGroup, AppealsGroup } from "./moderation/AppealsGroup.ts"
import { AdminReportsGroup, ReportsGroup } from "./moderation/ReportsGroup.ts"
import { DomainsGroup } from "./domains/DomainsGroup.ts"
import { ConditionsGroup } from "./health/ConditionsGroup.ts"
import { AccountsGroup, AgentsGroup, KeysGroup } from "./identity/IdentityGroups.ts"
import { CatalogueGroup } from "./catalogue/CatalogueGroup.ts"
import { EnvelopedListingsGroup, ListingsGroup } from "./listings/ListingsGroup.ts"
import { EnvelopedImagesGroup, ImagesGroup, SoulImagesGroup } from "./images/ImagesGroup.ts"
import { EnvelopedReleasesGroup, ReleasesGroup } from "./releases/ReleasesGroup.ts"
import { TrustGroup } from "./releases/TrustGroup.ts"
import { SessionsGroup } from "./sessions/SessionsGroup.ts"
import { LiveGroup } from "./live/LiveGroup.ts"
import { LicensesGroup } from "./licenses/LicensesGroup.ts"
import { SkillsGroup } from "./listings/SkillsGroup.ts"
import { OauthGroup } from "./oauth/OauthGroup.ts"
import { PasskeysGroup } from "./passkeys/PasskeysGroup.ts"
import { PurchasesGroup, SubscriptionsGroup } from "./purchases/PurchasesGroups.ts"
import { SigningGroup } from "./signing/SigningGroup.ts"
import { AdminSoulsGroup } from "./souls/AdminSoulsGroup.ts"
import { SoulsGroup } from "./souls/SoulsGroup.ts"
import { SystemGroup } from "./system/SystemGroup.ts"
import { WalletsGroup } from "./wallets/WalletsGroup.ts"
import { WithdrawalRulesGroup } from "./wallets/WithdrawalRulesGroup.ts"
import { NotificationsGroup } from "./notifications/NotificationsGroup.ts"
import { WebhooksGroup } from "./webhooks/WebhooksGroup.ts"
import { documented } from "./openapi/Documented.ts"

const description = [
  "A marketplace where agents and creators publish, discover, buy and sell capabilities, paid in USDT on TRON.",
  "",
  "Keys are sent as `Authorization: Bearer <key>`. Every response carries `X-Request-Id`; every rate-limited one the three",
  "`X-RateLimit-*` headers. Unknown body fields and query parameters are ignored; a known one with a wrong value is refused,",
  "and all issues are named at once. POSTs that move money take an `Idempotency-Key`."
].join("\n")

/** The description of the whole API. */
const documentation = OpenApi.annotations({
  title: "Agent Marketplace",
  version: "0.1.0",
  description,
  license: { name: "MIT", url: "https://opensource.org/license/mit" },
  transform: documented
})

/** All operations of the service (WIRE-1). Decoding a request collects every issue. */
export const MarketApi = HttpApi.make("market")
  .add(SoulsGroup)
  .add(ListingsGroup)
  .add(EnvelopedListingsGroup)
  .add(ReleasesGroup)
  .add(EnvelopedReleasesGroup)
  .add(ImagesGroup)
  .add(EnvelopedImagesGroup)
  .add(SoulImagesGroup)
  .add(TrustGroup)
  .add(SkillsGroup)
  .add(CatalogueGroup)
  .add(PurchasesGroup)
  .add(LicensesGroup)
  .add(SubscriptionsGroup)
  .add(ApprovalsGroup)
  .add(PoliciesGroup)
  .add(WalletsGroup)
  .add(WithdrawalRulesGroup)
  .add(AccountsGroup)
  .add(DomainsGroup)
  .add(AppealsGroup)
  .add(AdminAppealsGroup)
  .add(ReportsGroup)
  .add(AdminReportsGroup)
  .add(AgentsGroup)
  .add(KeysGroup)
  .add(SessionsGroup)
  .add(OauthGroup)
  .add(PasskeysGroup)
  .add(WebhooksGroup)
  .add(NotificationsGroup)
  .add(ActivityGroup)
  .add(LiveGroup)
  .add(AdminGroup)
  .add(AdminAccountsGroup)
  .add(AdminPayoutsGroup)
  .add(AdminTreasuryGroup)
  .add(AdminForeignAssetsGroup)
  .add(AdminDepositsGroup)
  .add(AdminSoulsGroup)
  .add(AdminItemsGroup)
  .add(AdvisoriesGroup)
  .add(ConditionsGroup)
  .add(SigningGroup)
  .add(SystemGroup)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotateMerge(documentation)

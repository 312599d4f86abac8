import { HttpApi } from "effect/http-api"
import { ActivityGroup } from "./activity/ActivityGroup.ts"
import { AdminAccountsGroup } from "./admin/AdminAccountsGroup.ts"
import { AdminGroup } from "./admin/AdminGroup.ts"
import { ApprovalsGroup, PoliciesGroup } from "./approvals/ApprovalsGroups.ts"
import { AccountsGroup, AgentsGroup, KeysGroup } from "./identity/IdentityGroups.ts"
import { CatalogueGroup } from "./catalogue/CatalogueGroup.ts"
import { EnvelopedListingsGroup, ListingsGroup } from "./listings/ListingsGroup.ts"
import { SkillsGroup } from "./listings/SkillsGroup.ts"
import { documentation } from "./openapi/Documentation.ts"
import { PurchasesGroup, SubscriptionsGroup } from "./purchases/PurchasesGroups.ts"
import { AdminSoulsGroup } from "./souls/AdminSoulsGroup.ts"
import { SoulsGroup } from "./souls/SoulsGroup.ts"
import { SystemGroup } from "./system/SystemGroup.ts"
import { WalletsGroup } from "./wallets/WalletsGroup.ts"
import { WebhooksGroup } from "./webhooks/WebhooksGroup.ts"

/** Everything the service answers to (WIRE-1). Requests are decoded with every issue named. */
export const MarketApi = HttpApi.make("market")
  .add(SoulsGroup)
  .add(ListingsGroup)
  .add(EnvelopedListingsGroup)
  .add(SkillsGroup)
  .add(CatalogueGroup)
  .add(PurchasesGroup)
  .add(SubscriptionsGroup)
  .add(ApprovalsGroup)
  .add(PoliciesGroup)
  .add(WalletsGroup)
  .add(AccountsGroup)
  .add(AgentsGroup)
  .add(KeysGroup)
  .add(WebhooksGroup)
  .add(ActivityGroup)
  .add(AdminGroup)
  .add(AdminAccountsGroup)
  .add(AdminSoulsGroup)
  .add(SystemGroup)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotateMerge(documentation)

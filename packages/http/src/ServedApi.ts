import { HttpApi } from "effect/http-api"
import { SoulsGroup } from "@agent-marketplace/api/souls/SoulsGroup"
import { EnvelopedListingsGroup, ListingsGroup } from "@agent-marketplace/api/listings/ListingsGroup"
import { SkillsGroup } from "@agent-marketplace/api/listings/SkillsGroup"
import { AccountsGroup, AgentsGroup, KeysGroup } from "@agent-marketplace/api/identity/IdentityGroups"
import { PurchasesGroup, SubscriptionsGroup } from "@agent-marketplace/api/purchases/PurchasesGroups"
import { ApprovalsGroup, PoliciesGroup } from "@agent-marketplace/api/approvals/ApprovalsGroups"
import { Edge } from "./edge/Edge.ts"

export const MarketApi = HttpApi.make("market").add(SoulsGroup, ListingsGroup, EnvelopedListingsGroup, SkillsGroup, AccountsGroup, AgentsGroup, KeysGroup, PurchasesGroup, SubscriptionsGroup, ApprovalsGroup, PoliciesGroup)

/** The market's operations behind the edge; every issue of a request is told, not the first alone (contract 1). */
export const ServedApi = MarketApi.annotate(HttpApi.ParseOptions, { errors: "all" }).middleware(Edge)

import { purchaseStatuses } from "@agent-marketplace/core/purchases/Purchase"
import type { AccountId, KeyId, PurchaseId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { AdminAccountPatch } from "../identity/IdentityInputs.ts"
import { AdminAccount, DeactivatedKey } from "../identity/IdentitySchemas.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import {
  AccountFreezeInput,
  AccountOverview,
  AdminPurchase,
  Operation,
  RecoveredAccount
} from "./AdminAccountSchemas.ts"

const accountParams = { id: field(idOf<AccountId>(), "The account's id.", "usr_01j9zq5k2f8h3m6n7p0r4s") }
const keyParams = { id: field(idOf<KeyId>(), "The key's id.", "key_01j9zq5k2f8h3m6n7p0r4s") }
const purchaseParams = { id: field(idOf<PurchaseId>(), "The purchase's id.", "pur_01j9zq5k2f8h3m6n7p0r4s") }

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const oneAccount = {
  params: accountParams,
  success: enveloped(AdminAccount),
  errors: ["ACCOUNT_NOT_FOUND"]
} as const

const list = endpoint.get("list", "/api/v1/admin/accounts", {
  ...facts("Find accounts", "Newest first."),
  query: {
    search: Query.text(200, "Part of a name or e-mail address, or a whole id.", "ada"),
    frozen: Query.flag("`true`: only frozen accounts; `false`: only accounts that are not frozen.", "true"),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminAccount).annotate({ description: "The accounts of the page, newest first." }))
})

const get = endpoint.get("get", "/api/v1/admin/accounts/:id", {
  ...facts("Read an account", "With its balance, its keys without secrets, its agents, and the number of its records."),
  params: accountParams,
  success: enveloped(AccountOverview),
  errors: ["ACCOUNT_NOT_FOUND"]
})

const update = endpoint.patch("update", "/api/v1/admin/accounts/:id", {
  ...facts(
    "Change an account",
    "Its tier, whether it may sell, its requests per hour, its quotas, and whether it is an operator."
  ),
  ...oneAccount,
  payload: AdminAccountPatch
})

const freeze = endpoint.post("freeze", "/api/v1/admin/accounts/:id/freeze", {
  ...facts(
    "Freeze an account",
    "From this response on, every server process refuses its writes as ACCOUNT_FROZEN. It can still read, reject approvals, " +
      "tighten policies, freeze agents, deactivate keys and export. Its items are taken off sale, and it buys, sells, renews and " +
      "withdraws nothing."
  ),
  ...oneAccount,
  payload: AccountFreezeInput
})

const unfreeze = endpoint.post("unfreeze", "/api/v1/admin/accounts/:id/unfreeze", {
  ...facts("Unfreeze an account", "Its items are on sale again."),
  ...oneAccount
})

const recover = endpoint.post("recover", "/api/v1/admin/accounts/:id/recover", {
  ...facts(
    "Recover an account",
    "Creates a FULL key, which only this response shows. All other keys of the account and of its agents are deactivated, and its sessions end, at once on every server process."
  ),
  stepUp: true,
  params: accountParams,
  success: enveloped(RecoveredAccount),
  errors: ["ACCOUNT_NOT_FOUND"]
})

const endKey = endpoint.delete("endKey", "/api/v1/admin/keys/:id", {
  ...facts("Deactivate any key", "Takes effect at once on every server process."),
  params: keyParams,
  success: enveloped(DeactivatedKey),
  errors: ["KEY_NOT_FOUND", "CONFLICT"]
})

const purchases = endpoint.get("purchases", "/api/v1/admin/purchases", {
  ...facts("List purchases", "Purchases of all accounts, in every state, newest first."),
  query: {
    account: Query.id(["usr"], "Only those that this account bought or sold.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
    item: Query.id(["lst", "soul"], "Only those of this item.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
    status: Query.choice(purchaseStatuses, "Only those in this state.", "completed"),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminPurchase).annotate({ description: "The purchases of the page, newest first." }))
})

const purchase = endpoint.get("purchase", "/api/v1/admin/purchases/:id", {
  ...facts("Read a purchase", "In any state."),
  params: purchaseParams,
  success: enveloped(AdminPurchase),
  errors: ["PURCHASE_NOT_FOUND"]
})

const actions = endpoint.get("actions", "/api/v1/admin/actions", {
  ...facts(
    "Read the log of actions",
    "Every write by an operator, newest first. Entries are never changed or removed."
  ),
  query: {
    actor: Query.line(100, "Only those of this operator.", "grace"),
    subject: Query.actionSubject(
      "Only actions on the record with this id, on this deposit address or transaction, on the `clock`, on `payouts`, or on the `hot` or `cold` wallet.",
      "usr_01j9zq5k2f8h3m6n7p0r4s"
    ),
    ...pageQuery
  },
  success: pageOf(Schema.Array(Operation).annotate({ description: "The actions of the page, newest first." }))
})

/** The operator's routes for accounts, keys and purchases (OPERATOR-5, OPERATOR-6, OPERATOR-7, OPERATOR-9, OPERATOR-10, OPERATOR-11, OPERATOR-15). */
export const AdminAccountsGroup = HttpApiGroup.make("adminAccounts")
  .add(list, get, update, freeze, unfreeze, recover, endKey, purchases, purchase, actions)
  .annotateMerge(OpenApi.annotations({ title: "Operator: accounts", description: "With the operator's token." }))

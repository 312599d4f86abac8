import { ExportStore } from "@agent-marketplace/core/identity/ExportStore"
import { saleOf, saleOfRenewal } from "@agent-marketplace/core/purchases/Sale"
import { Effect, Layer, Stream } from "effect"
import { domainsOf } from "../domains/accountDomains.ts"
import { Index } from "../Index.ts"
import { MemoryMarket } from "../MemoryMarket.ts"

export const MemoryExportStore: { readonly layer: Layer.Layer<ExportStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ExportStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      recordsOf: (account) => {
        const all = <A>(records: () => Iterable<A>) => Stream.suspend(() => Stream.fromIterable(records()))
        const souls = () => Index.records(tables.soulsOf, account, tables.souls).map(({ soul }) => soul)
        const sold = () =>
          Index.records(tables.purchasesBySeller, account, tables.purchases)
            .filter(({ status }) => status === "completed" || status === "refunded")
            .map(saleOf)
        const renewed = () =>
          Index.records(tables.renewalsBySeller, account, tables.renewals).flatMap((renewal) => {
            const purchase = tables.purchases.get(renewal.purchaseId)
            return purchase === undefined ? [] : [saleOfRenewal(renewal, purchase)]
          })
        return {
          agents: all(() => Index.records(tables.agentsOf, account, tables.agents).toReversed()),
          agentPolicies: all(() =>
            Index.records(tables.agentsOf, account, tables.agents).flatMap(({ id }) => {
              const policy = tables.policies.get(id)
              return policy === undefined ? [] : [{ agentId: id, policy }]
            })
          ),
          keys: all(() => Index.records(tables.keysOf, account, tables.keys).toReversed()),
          souls: all(souls),
          soulVersions: all(() =>
            souls().flatMap(({ id, slug }) =>
              (tables.soulVersions.get(id) ?? []).map((version) => ({ slug, ...version }))
            )
          ),
          listings: all(() => Index.records(tables.listingsOf, account, tables.listings).map(({ listing }) => listing)),
          reviews: all(() =>
            [...tables.reviews.values()].flatMap((reviews) => {
              const own = reviews.get(account)
              return own === undefined ? [] : [own.review]
            })
          ),
          purchases: all(() => Index.records(tables.purchasesByBuyer, account, tables.purchases).toReversed()),
          activations: all(() =>
            Index.records(tables.purchasesByBuyer, account, tables.purchases).flatMap(({ id }) => [
              ...(tables.activations.get(id)?.values() ?? [])
            ])
          ),
          sales: all(() => [...sold(), ...renewed()]),
          approvals: all(() => Index.records(tables.approvalsOf, account, tables.approvals).toReversed()),
          subscriptions: all(() => Index.records(tables.subscriptionsOf, account, tables.subscriptions).toReversed()),
          withdrawals: all(() => Index.records(tables.withdrawalsOf, account, tables.withdrawals).toReversed()),
          withdrawalAddresses: all(() => Index.records(tables.savedAddressesOf, account, tables.savedAddresses)),
          webhooks: all(() => Index.records(tables.webhooksOf, account, tables.webhooks)),
          domains: all(() => domainsOf(tables, account))
        }
      }
    }))
  )
}

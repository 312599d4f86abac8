import type { Domain } from "@agent-marketplace/core/domains/Domain"
import { domainLimit, superseded } from "@agent-marketplace/core/domains/Domain"
import { DomainStore } from "@agent-marketplace/core/domains/DomainStore"
import { AccountFrozen, Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Option } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { domainKey, domainsOf, provenDomains } from "./accountDomains.ts"
import { marking } from "./marking.ts"

const byName = (a: Domain, b: Domain): number => (a.domain < b.domain ? -1 : 1)

const write = (tables: MarketTables, domain: Domain): void =>
  marking(tables, domain.accountId, () => {
    tables.domains.set(domainKey(domain.accountId, domain.domain), domain)
  })

const add = (tables: MarketTables, domain: Domain): ReturnType<DomainStore["Service"]["add"]> => {
  const frozen = tables.accounts.get(domain.accountId)?.frozen ?? null
  if (frozen !== null) return Effect.fail(new AccountFrozen(frozen))
  const known = tables.domains.get(domainKey(domain.accountId, domain.domain))
  if (known !== undefined) return Effect.succeed(known)
  if (domainsOf(tables, domain.accountId).length >= domainLimit) {
    return Effect.fail(new Conflict({ state: "domain_limit", limit: domainLimit }))
  }
  write(tables, domain)
  return Effect.succeed(domain)
}

const settle = (tables: MarketTables, account: AccountId, name: string, rule: (before: Domain) => Domain) => {
  const before = tables.domains.get(domainKey(account, name))
  if (before === undefined) return Option.none()
  const after = rule(before)
  if (after.status === "verified") {
    for (const other of tables.domains.values()) {
      const holds = other.domain === name && other.accountId !== account && other.status === "verified"
      if (holds) write(tables, superseded(other))
    }
  }
  write(tables, after)
  return Option.some(after)
}

export const MemoryDomainStore: { readonly layer: Layer.Layer<DomainStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    DomainStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      add: (domain) => Effect.suspend(() => add(tables, domain)),
      list: (account, { limit, page }) =>
        Effect.sync(() => {
          const all = domainsOf(tables, account).toSorted(byName)
          return { items: all.slice((page - 1) * limit, page * limit), total: all.length }
        }),
      find: (account, domain) =>
        Effect.sync(() => Option.fromUndefinedOr(tables.domains.get(domainKey(account, domain)))),
      remove: (account, domain) =>
        Effect.sync(() => {
          const known = tables.domains.has(domainKey(account, domain))
          marking(tables, account, () => void tables.domains.delete(domainKey(account, domain)))
          return known
        }),
      settle: (account, domain, rule) => Effect.sync(() => settle(tables, account, domain, rule)),
      due: (now, limit) =>
        Effect.sync(() =>
          [...tables.domains.values()]
            .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
            .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
            .slice(0, limit)
        ),
      verified: (account) =>
        Effect.sync(() =>
          provenDomains(tables, account)
            .map(({ domain }) => domain)
            .sort()
        )
    }))
  )
}

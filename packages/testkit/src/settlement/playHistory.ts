import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import type { HistoryWorld } from "./HistoryWorld.ts"
import { HistoryCommands } from "./HistoryCommands.ts"
import type { MarketHistory, Step } from "./MarketHistory.ts"
import type { MarketModel, PendingItem } from "./MarketModel.ts"

/** One action on a market; the model has executed it already. */
export type Action =
  | { readonly _tag: "Settle"; readonly commands: ReadonlyArray<Command>; readonly outcomes: ReadonlyArray<Outcome> }
  | { readonly _tag: "SetPolicy"; readonly subject: AccountId | AgentId; readonly policy: SpendingPolicy }
  | { readonly _tag: "SetItem"; readonly item: SaleItem; readonly pending: PendingItem | null }
  /** The item as it is after the decision on its pending changes. */
  | { readonly _tag: "Review"; readonly item: SaleItem; readonly approve: boolean }
  | { readonly _tag: "SetFrozen"; readonly subject: AccountId | AgentId; readonly frozen: boolean }
  | { readonly _tag: "Advance"; readonly seconds: number }

/** The maximum number of commands in one transaction. */
const largestBatch = 64

const advance = (model: MarketModel, seconds: number): Action => {
  model.now += seconds * 1000
  return { _tag: "Advance", seconds }
}

const setItem = (model: MarketModel, world: HistoryWorld, step: Extract<Step, { kind: "item" }>): Action => {
  const planned = world.items[step.item % world.items.length]
  const before = planned === undefined ? undefined : model.items.get(planned.id)
  if (before === undefined) return { _tag: "Advance", seconds: 0 }
  const item: SaleItem = {
    ...before,
    ...(before.kind === "soul"
      ? { price: step.price, pricingModel: step.price === 0n ? "free" : "one_time" }
      : { price: before.pricingModel === "free" ? before.price : step.price }),
    onSale: step.onSale
  }
  const pending = pendingOf(item)
  if (pending === null) model.pendingItems.delete(item.id)
  else model.pendingItems.set(item.id, pending)
  model.items.set(item.id, item)
  return { _tag: "SetItem", item, pending }
}

/** The changes that wait for review beside some of the listings: nothing of them may be sold before they are approved. */
const pendingOf = ({ kind, price, pricingModel }: SaleItem): PendingItem | null =>
  kind === "listing" && price > 0n && price % 2n === 0n
    ? { name: "Reviewed later", pricingModel: pricingModel === "subscription" ? "one_time" : "subscription" }
    : null

const review = (model: MarketModel, step: Extract<Step, { kind: "review" }>): Action => {
  const waiting = [...model.pendingItems]
  const [id, pending] = waiting[step.item % waiting.length] ?? []
  const before = id === undefined ? undefined : model.items.get(id)
  if (id === undefined || before === undefined) return { _tag: "Advance", seconds: 0 }
  // An approval puts a suspended listing on sale again.
  const item: SaleItem = step.approve ? { ...before, ...pending, onSale: true } : before
  model.pendingItems.delete(id)
  model.items.set(id, item)
  return { _tag: "Review", item, approve: step.approve }
}

/** The reason of every freeze. */
export const freezeReason = "a history"

const setFrozen = (model: MarketModel, world: HistoryWorld, step: Extract<Step, { kind: "freeze" }>): Action => {
  const subjects = [...world.accounts, ...world.agents.map(({ id }) => id)]
  const frozen = [...model.frozen.keys()]
  const waiting = [...model.approvals.values()].flatMap(({ accountId, status }) =>
    status === "pending" ? [accountId] : []
  )
  // A freeze that leaves pending approvals is mostly of an account that has some; only frozen ones are unfrozen.
  const preferred = step.frozen ? (step.stop ? [] : waiting) : frozen
  const from = preferred.length === 0 ? subjects : preferred
  const subject = from[step.subject % from.length] ?? ("" as AccountId)
  // A second freeze keeps the time of the first.
  const since = model.frozen.get(subject)?.since ?? model.now
  if (step.frozen) model.frozen.set(subject, { since, reason: freezeReason })
  else model.frozen.delete(subject)
  return { _tag: "SetFrozen", subject, frozen: step.frozen }
}

/** The purchases that a freeze rejects. */
const rejectWaiting = (world: HistoryWorld, subject: AccountId | AgentId): Command => {
  const agent = world.agents.find(({ id }) => id === subject)
  return {
    _tag: "RejectWaiting",
    accountId: agent?.ownerId ?? (subject as AccountId),
    agentId: agent?.id ?? null,
    reason: "frozen"
  }
}

const setPolicy = (model: MarketModel, world: HistoryWorld, step: Extract<Step, { kind: "policy" }>): Action => {
  const spenders = [...world.accounts, ...world.agents.map(({ id }) => id)]
  const subject = spenders[step.spender % spenders.length] ?? ("" as AccountId)
  const blockedSellers = step.policy.blockedSellers?.map((n) => world.accounts[n % 4] ?? "") ?? null
  const policy = { ...step.policy, blockedSellers }
  model.setPolicy(subject, policy)
  return { _tag: "SetPolicy", subject, policy }
}

/**
 * Plays a history on the model and yields, step by step, the actions that a store has to repeat. One second passes before each
 * batch, and jumps are whole hours: no two batches have the same time, and if the test takes less than an hour, a store whose own
 * time keeps running never crosses a time limit that the model has not crossed. `tag` makes the ids of this run unique.
 */
export function* playHistory(
  model: MarketModel,
  world: HistoryWorld,
  history: MarketHistory,
  tag: string
): Generator<Action, void, void> {
  const make = new HistoryCommands(model, world, tag)
  let batches = 0
  let waiting: Array<Command> = []
  const size = () => history.batchSizes[batches % history.batchSizes.length] ?? 1
  function* flush(): Generator<Action, void, void> {
    if (waiting.length === 0) return
    const commands = waiting
    waiting = []
    batches += 1
    yield advance(model, 1)
    yield { _tag: "Settle", commands, outcomes: model.settle(commands) }
  }
  for (const step of history.steps) {
    if (step.kind === "freeze") {
      yield* flush()
      const action = setFrozen(model, world, step)
      yield action
      if (action._tag === "SetFrozen" && action.frozen && step.stop) waiting.push(rejectWaiting(world, action.subject))
      continue
    }
    if (step.kind === "jump" || step.kind === "item" || step.kind === "policy" || step.kind === "review") {
      yield* flush()
      if (step.kind === "jump") yield advance(model, step.hours * 3600)
      else if (step.kind === "item") yield setItem(model, world, step)
      else if (step.kind === "review") yield review(model, step)
      else yield setPolicy(model, world, step)
      continue
    }
    for (const command of make.of(step)) {
      waiting.push(command)
      if (waiting.length >= Math.min(size(), largestBatch)) yield* flush()
    }
  }
  yield* flush()
}

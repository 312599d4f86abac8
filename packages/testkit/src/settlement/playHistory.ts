import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import type { HistoryWorld } from "./HistoryWorld.ts"
import { HistoryCommands } from "./HistoryCommands.ts"
import type { MarketHistory, Step } from "./MarketHistory.ts"
import type { MarketModel } from "./MarketModel.ts"

/** One action on a market; the model has executed it already. */
export type Action =
  | { readonly _tag: "Settle"; readonly commands: ReadonlyArray<Command>; readonly outcomes: ReadonlyArray<Outcome> }
  | { readonly _tag: "SetPolicy"; readonly subject: AccountId | AgentId; readonly policy: SpendingPolicy }
  | { readonly _tag: "SetItem"; readonly item: SaleItem }
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
    price: before.pricingModel === "free" ? before.price : step.price,
    onSale: step.onSale
  }
  model.items.set(item.id, item)
  return { _tag: "SetItem", item }
}

/** The reason of every freeze. */
export const freezeReason = "a history"

const setFrozen = (model: MarketModel, world: HistoryWorld, step: Extract<Step, { kind: "freeze" }>): Action => {
  const subjects = [...world.accounts, ...world.agents.map(({ id }) => id)]
  // Of all that are frozen one is unfrozen: else few would be left that may do anything.
  const frozen = [...model.frozen.keys()]
  const from = step.frozen || frozen.length === 0 ? subjects : frozen
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
    if (step.kind === "jump" || step.kind === "item" || step.kind === "policy") {
      yield* flush()
      if (step.kind === "jump") yield advance(model, step.hours * 3600)
      else if (step.kind === "item") yield setItem(model, world, step)
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

import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Clock, Deferred, Effect, Exit, Result, Semaphore } from "effect"
import type { Scope } from "effect"
import type { BlockAt } from "../nodes/BlockAt.ts"
import { blockAt } from "../nodes/BlockAt.ts"
import type { Node } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { BlockInfos } from "../nodes/TransactionInfo.ts"
import type { TronTimings } from "../TronSettings.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { headOf, missingBlock } from "./FinalHeads.ts"
import type { ForeignMove } from "./ForeignLog.ts"
import { transfersOf } from "./TransferLog.ts"

/** The number of blocks that are requested concurrently. */
export const blocksAtOnce = 16

/** The maximum number of blocks read above the final one; about 20 is usual. */
const pendingBlocks = 100

/** A block and its parent. */
type Place = Pick<FinalHead, "block" | "id" | "parent">

const present = (node: Node, block: number, found: BlockAt | undefined) =>
  found === undefined ? Effect.fail(missingBlock(node, block)) : Effect.succeed(found)

const placeOf = Effect.fnUntraced(function* (node: Node, block: number) {
  const { header } = yield* present(node, block, yield* blockAt(node, block))
  return { block, id: header.blockID, parent: header.block_header.raw_data.parentHash ?? "" }
})

/** The transfers of one block, and whether all voting nodes have reported them. */
export interface ReadTransfers {
  readonly transfers: ReadonlyArray<Transfer>
  readonly foreign: ReadonlyArray<ForeignMove>
  readonly agreed: boolean
}

type Read = Result.Result<ReadTransfers, ChainUnavailable>

/**
 * All transfers of the token in a range of final blocks, in order, or a failure. Blocks that were read before a node failed are kept and not
 * requested again, since final blocks do not change, so a range is completed even if nodes fail often. While one range is credited, the next
 * one is read, up to `last`.
 */
export const transfersInRange = (
  readOne: (block: number) => Effect.Effect<ReadTransfers, ChainUnavailable>,
  scope: Scope.Scope
) => {
  const known = new Map<number, Deferred.Deferred<Read>>()

  const read = (number: number): Effect.Effect<Read> =>
    Effect.suspend(() => {
      const started = known.get(number)
      if (started !== undefined) return Deferred.await(started)
      const answer = Deferred.makeUnsafe<Read>()
      known.set(number, answer)
      return Effect.result(readOne(number)).pipe(
        Effect.tap((found) => Effect.sync(() => Result.isFailure(found) && known.delete(number))),
        Effect.onExit((exit) => {
          if (Exit.isFailure(exit)) known.delete(number)
          return Deferred.done(
            answer,
            Exit.isSuccess(exit) ? exit : Exit.succeed(Result.fail(new ChainUnavailable({ reason: "interrupted" })))
          )
        })
      )
    })

  const readAll = (from: number, to: number) =>
    Effect.forEach(
      Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i),
      read,
      { concurrency: blocksAtOnce }
    )

  return Effect.fnUntraced(function* (from: number, to: number, last: number) {
    for (const number of known.keys()) if (number < from) known.delete(number)
    const blocks = yield* readAll(from, to)
    const transfers: Array<Transfer> = []
    const foreign: Array<ForeignMove> = []
    let agreed = true
    for (const one of blocks) {
      const found = yield* Effect.fromResult(one)
      agreed &&= found.agreed
      for (const transfer of found.transfers) transfers.push(transfer)
      for (const move of found.foreign) foreign.push(move)
    }
    yield* Effect.forkIn(readAll(to + 1, Math.min(last, 2 * to - from + 1)), scope)
    return { transfers, foreign, agreed } satisfies ReadTransfers
  })
}

interface Seen {
  readonly id: string
  readonly parent: string
  readonly transfers: ReadonlyArray<Transfer>
}

/** Transfers above the final block, up to the node's newest block. A block that was replaced is read again. */
export const pendingTransfers = (nodes: Nodes, contract: string, { fresh }: TronTimings) => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let seen = new Map<number, Seen>()
  let requestedAt = -Infinity

  const see = Effect.fnUntraced(function* (node: Node, { block, id, parent }: Place) {
    const known = seen.get(block)
    if (known?.id === id) return known
    const infos = yield* node.ask("gettransactioninfobyblocknum", { num: block }, BlockInfos(block))
    const found = { id, parent, transfers: transfersOf(infos, contract) }
    seen.set(block, found)
    return found
  })

  const below = (node: Node, { block, parent }: Place): Effect.Effect<Place, ChainUnavailable> => {
    const known = seen.get(block - 1)
    return known?.id === parent
      ? Effect.succeed({ block: block - 1, id: known.id, parent: known.parent })
      : placeOf(node, block - 1)
  }

  const look = (above: number) =>
    nodes.using("wallet", (node) =>
      Effect.gen(function* () {
        const chain = new Map<number, Seen>()
        let place: Place = yield* headOf(node)
        if (place.block < above) return yield* missingBlock(node, above)
        const lowest = Math.max(above + 1, place.block - pendingBlocks + 1)
        while (place.block >= lowest) {
          chain.set(place.block, yield* see(node, place))
          if (place.block === lowest) break
          place = yield* below(node, place)
        }
        return chain
      })
    )

  return (above: number): Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable> =>
    oneAtATime.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - requestedAt >= fresh) {
          seen = yield* look(above)
          requestedAt = now
        }
        return [...seen.keys()]
          .filter((block) => block > above)
          .sort((a, b) => a - b)
          .flatMap((block) => seen.get(block)?.transfers ?? [])
      })
    )
}

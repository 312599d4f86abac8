import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Clock, Deferred, Effect, Exit, Result, Semaphore } from "effect"
import type { Scope } from "effect"
import type { BlockAt } from "../nodes/BlockAt.ts"
import { blockAt, isEmpty, wholeBlockAt } from "../nodes/BlockAt.ts"
import type { Node } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { TransactionInfo } from "../nodes/TransactionInfo.ts"
import { BlockInfos } from "../nodes/TransactionInfo.ts"
import type { TronTimings } from "../TronSettings.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { behind, headOf } from "./FinalHeads.ts"
import { transfersOf } from "./TransferLog.ts"

/** The number of blocks that are requested concurrently. */
export const blocksAtOnce = 16

/** The maximum number of blocks read above the final one; about 20 is usual. */
const pendingBlocks = 100

/** A block and its parent. */
type Place = Pick<FinalHead, "block" | "id"> & { readonly parent: string }

const present = (node: Node, block: number, found: BlockAt | undefined) =>
  found === undefined ? Effect.fail(behind(node, block)) : Effect.succeed(found)

const placeOf = Effect.fnUntraced(function* (node: Node, block: number) {
  const { header } = yield* present(node, block, yield* blockAt(node, block))
  return { block, id: header.blockID, parent: header.block_header.raw_data.parentHash ?? "" }
})

/** How often the infos are requested again if the node's headers do not show reliably whether a block is empty. */
const emptyRetries = 4

/**
 * The results of all transactions of a final block. A node that has not reached the block answers with an empty list, as it does for an
 * empty block. An empty list is therefore accepted only if the block itself has no transactions.
 */
export const finalInfos = (
  nodes: Nodes,
  block: number
): Effect.Effect<{ readonly at: number; readonly infos: ReadonlyArray<TransactionInfo> }, ChainUnavailable> =>
  nodes.using("walletsolidity", (node) =>
    Effect.gen(function* () {
      const ask = node.ask("gettransactioninfobyblocknum", { num: block }, BlockInfos(block))
      const infos = block === 0 ? [] : yield* ask
      const [first] = infos
      if (first !== undefined) return { at: first.blockTimeStamp, infos }
      const found = yield* present(node, block, yield* wholeBlockAt(node, block))
      const empty = block === 0 || isEmpty(found)
      const again = empty === undefined ? emptyRetries : 0
      for (let i = 0; i < again; i++) if ((yield* ask).length > 0) return yield* behind(node, block)
      if (empty === false) return yield* behind(node, block)
      return { at: found.header.block_header.raw_data.timestamp ?? 0, infos }
    })
  )

type Read = Result.Result<ReadonlyArray<Transfer>, ChainUnavailable>

/**
 * All transfers of the token in a range of final blocks, in order, or a failure. Blocks that were read before a node failed are kept and not
 * requested again, since final blocks do not change, so a range is completed even if nodes fail often. While one range is credited, the next
 * one is read, up to `final`.
 */
export const finalTransfers = (nodes: Nodes, contract: string, scope: Scope.Scope) => {
  const known = new Map<number, Deferred.Deferred<Read>>()

  const read = (number: number): Effect.Effect<Read> =>
    Effect.suspend(() => {
      const started = known.get(number)
      if (started !== undefined) return Deferred.await(started)
      const answer = Deferred.makeUnsafe<Read>()
      known.set(number, answer)
      return Effect.result(Effect.map(finalInfos(nodes, number), ({ infos }) => transfersOf(infos, contract))).pipe(
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

  return Effect.fnUntraced(function* (from: number, to: number, final: number) {
    for (const number of known.keys()) if (number < from) known.delete(number)
    const blocks = yield* readAll(from, to)
    const transfers: Array<Transfer> = []
    for (const one of blocks) for (const transfer of yield* Effect.fromResult(one)) transfers.push(transfer)
    yield* Effect.forkIn(readAll(to + 1, Math.min(final, 2 * to - from + 1)), scope)
    return transfers as ReadonlyArray<Transfer>
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
        if (place.block < above) return yield* behind(node, above)
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

import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { FoundBlock } from "./NodeAnswers.ts"
import type { Block } from "./NodeAnswers.ts"
import type { Node, NodeApi } from "./Node.ts"
import { NotOffered } from "./Node.ts"

/** A block, and whether it was requested with its transactions. */
export interface BlockAt {
  readonly header: Block
  readonly whole: boolean
}

/** "missing": the node has not reached the block. "not offered": it cannot return a block by height (it returns another block, or nothing). */
type Answer = BlockAt | "missing" | "not offered"

const isBlock = (found: typeof FoundBlock.Type): found is Block => "blockID" in found

const ask = (node: Node, block: number, method: string, body: object, api?: NodeApi) =>
  node.ask(method, body, FoundBlock, api).pipe(
    Effect.map((found): Answer => {
      if (!isBlock(found)) return "missing"
      const right = (found.block_header.raw_data.number ?? 0) === block
      return right ? { header: found, whole: method === "getblockbynum" } : "not offered"
    }),
    Effect.catchIf(
      (fault) => fault instanceof NotOffered,
      () => Effect.succeed<Answer>("not offered")
    )
  )

const cheapest = (node: Node, block: number) =>
  ask(node, block, "getblock", { id_or_num: String(block), detail: false })

const whole = (node: Node, block: number, api?: NodeApi) => ask(node, block, "getblockbynum", { num: block }, api)

/** The newest state is read only if the node offers no method to read final blocks. */
const firstOf = Effect.fnUntraced(function* (
  node: Node,
  block: number,
  methods: ReadonlyArray<Effect.Effect<Answer, ChainUnavailable>>
): Effect.fn.Return<BlockAt | undefined, ChainUnavailable> {
  let missing = false
  for (const method of methods) {
    const answer = yield* method
    if (typeof answer === "object") return answer
    missing ||= answer === "missing"
  }
  const newest = missing ? "missing" : yield* whole(node, block, "wallet")
  return typeof newest === "object" ? newest : undefined
})

/** The block at that height, or undefined. Nodes offer different methods; the cheapest is tried first. */
export const blockAt = (node: Node, block: number) => firstOf(node, block, [cheapest(node, block), whole(node, block)])

/** The same, with its transactions if the node can return them. */
export const wholeBlockAt = (node: Node, block: number) =>
  firstOf(node, block, [whole(node, block), cheapest(node, block)])

/** Whether the block has no transactions; undefined if the node's header is not reliable. */
export const isEmpty = ({ header: { block_header, transactions }, whole }: BlockAt): boolean | undefined => {
  if (transactions !== undefined && transactions.length > 0) return false
  if (/^0*$/.test(block_header.raw_data.txTrieRoot ?? "")) return true
  return whole ? undefined : false
}

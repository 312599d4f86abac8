import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { FoundBlock } from "./NodeAnswers.ts"
import type { Block } from "./NodeAnswers.ts"
import type { Node, View } from "./Node.ts"
import { NotOffered } from "./NotOffered.ts"

/** A block, and whether its transactions came with it. */
export interface BlockAt {
  readonly header: Block
  readonly whole: boolean
}

/** The node has not come as far, or it cannot be asked for a block by its height: it answers with another one, or not at all. */
type Answer = BlockAt | "missing" | "not offered"

const isBlock = (found: typeof FoundBlock.Type): found is Block => "blockID" in found

const ask = (node: Node, block: number, method: string, body: object, view?: View) =>
  node.ask(method, body, FoundBlock, view).pipe(
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

const whole = (node: Node, block: number, view?: View) => ask(node, block, "getblockbynum", { num: block }, view)

/** What a node believes is asked for only where there is no way to ask for what is final. */
const firstOf = Effect.fnUntraced(function* (
  node: Node,
  block: number,
  ways: ReadonlyArray<Effect.Effect<Answer, ChainUnavailable>>
): Effect.fn.Return<BlockAt | undefined, ChainUnavailable> {
  let missing = false
  for (const way of ways) {
    const answer = yield* way
    if (typeof answer === "object") return answer
    missing ||= answer === "missing"
  }
  const believed = missing ? "missing" : yield* whole(node, block, "wallet")
  return typeof believed === "object" ? believed : undefined
})

/** The block of that height, or undefined. Nodes differ in the ways to ask for one; the cheapest goes first. */
export const blockAt = (node: Node, block: number) => firstOf(node, block, [cheapest(node, block), whole(node, block)])

/** The same, with its transactions where the node can give them. */
export const wholeBlockAt = (node: Node, block: number) =>
  firstOf(node, block, [whole(node, block), cheapest(node, block)])

/** What a block says of its transactions: that it has some, or none, or nothing that can be relied on. */
export const isEmpty = ({ header: { block_header, transactions }, whole }: BlockAt): boolean | undefined => {
  if (transactions !== undefined && transactions.length > 0) return false
  if (/^0*$/.test(block_header.raw_data.txTrieRoot ?? "")) return true
  return whole ? undefined : false
}

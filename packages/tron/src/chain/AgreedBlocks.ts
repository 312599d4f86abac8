import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Deferred, Effect, Exit, Result } from "effect"
import { hash } from "node:crypto"
import type { Member } from "../nodes/Nodes.ts"
import type { BlockReading } from "./BlockReading.ts"
import { contentOf, readBlock, summaryOf } from "./BlockReading.ts"
import type { Votes } from "./Votes.ts"

type Read<A> = Result.Result<A, ChainUnavailable>

/** The number of blocks whose transaction ids are kept: more than a transaction can wait for its block. */
const keptBlocks = 512

/** The number of first readings that are kept for the comparison: those of two ranges of a scan. */
const keptReadings = 80

/** The transactions of a block that all voting nodes report alike. */
interface Listed {
  readonly at: number
  /** The first 4 bytes of each transaction id. */
  readonly starts: Uint32Array
}

const startOf = (txid: string): number => Number.parseInt(txid.slice(0, 8), 16)

/** Concurrent requests for the same block share one reading. */
const shared = <A>(read: (block: number) => Effect.Effect<A, ChainUnavailable>) => {
  const started = new Map<number, Deferred.Deferred<Read<A>>>()
  const interrupted = Exit.succeed(Result.fail(new ChainUnavailable({ reason: "interrupted" })))
  return (block: number): Effect.Effect<A, ChainUnavailable> =>
    Effect.suspend(() => {
      const known = started.get(block)
      if (known !== undefined) return Effect.flatMap(Deferred.await(known), Effect.fromResult)
      const answer = Deferred.makeUnsafe<Read<A>>()
      started.set(block, answer)
      return Effect.result(read(block)).pipe(
        Effect.onExit((exit) => {
          started.delete(block)
          return Deferred.done(answer, Exit.isSuccess(exit) ? exit : interrupted)
        }),
        Effect.flatMap(Effect.fromResult)
      )
    })
}

const trim = <A>(map: Map<number, A>, size: number): void => {
  for (const key of map.keys()) {
    if (map.size <= size) return
    map.delete(key)
  }
}

/**
 * The content of final blocks as all voting nodes report it (CHAIN-24). A list of transactions is not bound to its block by anything that can be
 * verified, so one node could invent or hide a transfer in it. It counts only if every voting node reports the same.
 */
export class AgreedBlocks {
  private readonly votes: Votes
  private readonly contract: string
  private readonly first = new Map<number, { readonly member: Member; readonly reading: BlockReading }>()
  private readonly listed = new Map<number, Listed>()

  constructor(votes: Votes, contract: string) {
    this.votes = votes
    this.contract = contract
  }

  /** A block as one node reports it. `agreed`: this node alone votes, so that no other node could contradict it. */
  readonly preview = shared((block) =>
    Effect.gen({ self: this }, function* () {
      const voters = yield* this.votes.voters
      const reasons: Array<string> = []
      for (const member of voters) {
        const known = voters.length > 1 ? () => undefined : ("not compared" as const)
        const read = yield* Effect.result(member.use((node) => readBlock(node, block, this.contract, known)))
        if (Result.isSuccess(read)) {
          if (voters.length > 1) this.first.set(block, { member, reading: read.success })
          trim(this.first, keptReadings)
          return { reading: read.success, agreed: voters.length === 1 }
        }
        reasons.push(read.failure.reason)
      }
      return yield* new ChainUnavailable({ reason: reasons.join("; ") })
    })
  )

  /** A block as all voting nodes report it alike. */
  readonly agreed = shared((block) =>
    Effect.gen({ self: this }, function* () {
      const subject = `the transactions of block ${block}`
      const first = this.first.get(block)
      let known = first?.reading
      const compared = this.votes.size === 1 ? ("not compared" as const) : () => known
      const all = yield* this.votes.ask(subject, (node, member) =>
        first?.member === member
          ? Effect.succeed(first.reading)
          : Effect.tap(readBlock(node, block, this.contract, compared), (reading) =>
              Effect.sync(() => {
                known ??= reading
              })
            )
      )
      // What a node reported earlier counts once. If the nodes disagree, all of them are asked again.
      this.first.delete(block)
      const different = new Set(all.map(({ value }) => value)).size > 1
      const content = new Map(different ? all.map(({ value }) => [value, contentOf(value)]) : [])
      const shown = (value: BlockReading) =>
        `${summaryOf(value)} (${hash("sha256", content.get(value) ?? "").slice(0, 8)})`
      const reading = yield* this.votes.compare(
        subject,
        all,
        shown,
        (one, other) => one === other || content.get(one) === content.get(other)
      )
      this.listed.set(block, { at: reading.at, starts: Uint32Array.from(reading.outcomes.keys(), startOf) })
      trim(this.listed, keptBlocks)
      return reading
    })
  )

  /** Whether a transaction is in a final block, by what all voting nodes report; with the block's time and, if it is there, the block's content. */
  find(block: number, txid: string) {
    return Effect.gen({ self: this }, function* () {
      const known = this.listed.get(block)
      if (known !== undefined && !known.starts.includes(startOf(txid))) return { at: known.at, reading: undefined }
      const reading = yield* this.agreed(block)
      return { at: reading.at, reading: reading.outcomes.has(txid) ? reading : undefined }
    })
  }
}

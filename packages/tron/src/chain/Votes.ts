import type { ChainCondition } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Clock, Effect, Result, Semaphore } from "effect"
import type { Member, Nodes } from "../nodes/Nodes.ts"
import type { TronTimings } from "../TronSettings.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { headOf, headerAt } from "./FinalHeads.ts"
import type { Vote } from "./NodeReports.ts"
import { NodeReports } from "./NodeReports.ts"

/** A node that needs longer for its head does not vote. */
const answerTime = 5_000

/** A node that did not answer in time is not waited for again during this time. */
const slowPause = 10_000

/**
 * A minute of blocks. A node that is this far below what was final before does not vote until it has caught up. What other nodes claim does not count: two
 * of them could exclude an honest one.
 */
const farBehind = 20

/** What is known about a node. */
interface Standing {
  readonly member: Member
  /** The highest final head that it reported. Final blocks do not disappear, even if another server behind the same URL is a block behind. */
  seen: FinalHead | undefined
  movedAt: number
  skippedUntil: number
  /** Whether it has been far below what is final, and has not caught up since. */
  isFar: boolean
  /** Why it last failed. */
  failure: string
}

interface Answer {
  readonly standing: Standing
  /** The head that it reports now. */
  readonly now: FinalHead
  readonly seen: FinalHead
}

/** What one node reports, for comparison with the others. */
export interface Statement<A> {
  readonly member: Member
  readonly value: A
}

/** What all nodes that vote report alike, and these nodes. */
interface Agreement {
  readonly head: FinalHead
  readonly voters: ReadonlyArray<Member>
}

const unavailable = (reason: string) => new ChainUnavailable({ reason })

/** Groups the nodes by what they report, in words: `a and b report x; c reports y`. */
const statements = (all: ReadonlyArray<Statement<string>>): string => {
  const names = new Map<string, Array<string>>()
  for (const { member, value } of all) names.set(value, [...(names.get(value) ?? []), member.name])
  return [...names]
    .map(([value, who]) => `${who.join(" and ")} ${who.length === 1 ? "reports" : "report"} ${value}`)
    .join("; ")
}

const text = ({ at, id, parent }: FinalHead) => `${id} of ${at} after ${parent}`

/** Some nodes omit the parent. */
const isSame = (one: FinalHead, other: FinalHead) =>
  one.id === other.id &&
  one.at === other.at &&
  (one.parent === other.parent || one.parent === "" || other.parent === "")

/**
 * What is final, decided by the configured nodes (CHAIN-28). A node votes while it answers and its final head moves. At least `needed` nodes must vote.
 * Final is what all voting nodes report alike: the lowest of their final heads, with the same id and time from each of them. So no node can make
 * a block final that the others have not reached.
 */
export class Votes {
  private readonly standings: ReadonlyArray<Standing>
  private readonly nodes: Nodes
  private readonly timings: TronTimings
  private readonly needed: number
  private readonly reports = new NodeReports()
  private readonly oneAtATime = Semaphore.makeUnsafe(1)
  private agreed: Agreement | undefined
  private last: Result.Result<Agreement, ChainUnavailable> | undefined
  private requestedAt = -Infinity
  /** The highest block that is known to be final. */
  private known = -1

  constructor(nodes: Nodes, timings: TronTimings, needed: number) {
    this.nodes = nodes
    this.timings = timings
    this.needed = needed
    this.standings = nodes
      .members("walletsolidity")
      .map((member) => ({ member, seen: undefined, movedAt: 0, skippedUntil: 0, isFar: false, failure: "" }))
  }

  /** What the last rounds and comparisons have found. */
  get conditions(): Effect.Effect<ReadonlyArray<ChainCondition>> {
    return Effect.sync(() => this.reports.conditions)
  }

  /** The number of configured nodes. */
  get size(): number {
    return this.standings.length
  }

  /** Blocks up to this one were final before, for example because they were scanned. */
  resumeAt(block: number): Effect.Effect<void> {
    return Effect.sync(() => {
      this.known = Math.max(this.known, block)
    })
  }

  /** The newest final block. It never decreases. */
  get head(): Effect.Effect<FinalHead, ChainUnavailable> {
    return Effect.map(this.round, ({ head }) => head)
  }

  /** The nodes that voted in the last round. */
  get voters(): Effect.Effect<ReadonlyArray<Member>, ChainUnavailable> {
    return Effect.suspend(() =>
      Effect.map(this.last === undefined ? this.round : Effect.fromResult(this.last), ({ voters }) => voters)
    )
  }

  /** The header of a final block, as all voting nodes report it alike. */
  header(block: number): Effect.Effect<FinalHead, ChainUnavailable> {
    return Effect.suspend(() =>
      this.agreed?.head.block === block
        ? Effect.succeed(this.agreed.head)
        : Effect.flatMap(
            this.ask(`block ${block}`, (node) => headerAt(node, block)),
            (all) => this.alike(`block ${block}`, all)
          )
    )
  }

  /** The header of final block `to`, after a check that the parent of block `from` is the block that was scanned before it (CHAIN-23). */
  follow(parent: string | null, from: number, to: number): Effect.Effect<FinalHead, ChainUnavailable> {
    return Effect.gen({ self: this }, function* () {
      if (parent !== null) {
        const subject = `the parent of block ${from}`
        const first = yield* this.header(from)
        if (first.parent !== "" && first.parent !== parent) {
          const detail = `all voting nodes report that block ${from} follows ${first.parent}, but ${parent} was scanned before it`
          yield* this.reports.disagreed(subject, detail)
          return yield* unavailable(detail)
        }
        yield* this.reports.agreed(subject)
      }
      return yield* this.header(to)
    })
  }

  /**
   * Asks every voting node. At least `needed` of them, and more than half of those that vote, must answer: the request is repeated later rather than decided by
   * the others.
   */
  ask<A>(
    subject: string,
    body: Parameters<Member["use"]>[0] extends (node: infer N) => unknown
      ? (node: N, member: Member) => Effect.Effect<A, ChainUnavailable>
      : never
  ): Effect.Effect<ReadonlyArray<Statement<A>>, ChainUnavailable> {
    return Effect.gen({ self: this }, function* () {
      const voters = yield* this.voters
      const answers = yield* Effect.forEach(
        voters,
        (member) =>
          Effect.result(
            Effect.map(
              member.use((node) => body(node, member)),
              (value) => ({ member, value })
            )
          ),
        { concurrency: "unbounded" }
      )
      const found = answers.flatMap((answer) => (Result.isSuccess(answer) ? [answer.success] : []))
      if (found.length >= this.needed && 2 * found.length > voters.length) return found
      const reasons = answers.flatMap((answer) => (Result.isFailure(answer) ? [answer.failure.reason] : []))
      return yield* unavailable(`${subject}: ${found.length} of ${voters.length} nodes answered: ${reasons.join("; ")}`)
    })
  }

  /** Fails, and reports which node says what, unless all statements are equal. */
  compare<A>(
    subject: string,
    all: ReadonlyArray<Statement<A>>,
    shown: (value: A) => string,
    equal: (one: A, other: A) => boolean
  ) {
    const [first] = all
    if (first === undefined) return Effect.fail(unavailable(`${subject}: no node answered`))
    if (all.every(({ value }) => equal(first.value, value))) return Effect.as(this.reports.agreed(subject), first.value)
    const detail = `the nodes disagree about ${subject}: ${statements(all.map(({ member, value }) => ({ member, value: shown(value) })))}`
    return Effect.andThen(this.reports.disagreed(subject, detail), Effect.fail(unavailable(detail)))
  }

  private alike(subject: string, all: ReadonlyArray<Statement<FinalHead>>): Effect.Effect<FinalHead, ChainUnavailable> {
    return this.compare(subject, all, text, isSame)
  }

  /** Results and failures are reused while they are fresh. */
  private get round(): Effect.Effect<Agreement, ChainUnavailable> {
    return this.oneAtATime.withPermit(
      Effect.gen({ self: this }, function* () {
        const now = yield* Clock.currentTimeMillis
        if (this.last === undefined || now - this.requestedAt >= this.timings.fresh) {
          this.last = yield* Effect.result(this.vote(now))
          this.requestedAt = now
        }
        return yield* Effect.fromResult(this.last)
      })
    )
  }

  /** Undefined for a node that does not answer. */
  private askHead(standing: Standing, now: number): Effect.Effect<Answer | undefined> {
    const { member } = standing
    if (standing.skippedUntil > now) return Effect.undefined
    const limit = this.standings.length > 1 ? answerTime : this.timings.timeout
    return member.use(headOf).pipe(
      Effect.timeoutOrElse({
        duration: limit,
        orElse: () => {
          standing.skippedUntil = now + slowPause
          return Effect.fail(unavailable(`${member.name} did not answer within ${limit / 1000} seconds`))
        }
      }),
      Effect.match({
        onFailure: ({ reason }) => {
          if (!member.isPaused(now) || standing.failure === "") standing.failure = reason
          return undefined
        },
        onSuccess: (head) => {
          if (standing.seen === undefined || head.block > standing.seen.block) {
            standing.seen = head
            standing.movedAt = now
          }
          return { standing, now: head, seen: standing.seen }
        }
      })
    )
  }

  /** Why a node that answers does not vote; undefined if it does. */
  private objection({ now: head, standing }: Answer, all: ReadonlyArray<Answer>, now: number): string | undefined {
    standing.isFar = head.block < this.known && (standing.isFar || this.known - head.block > farBehind)
    if (standing.isFar) return `${standing.member.name} is far below the blocks that are known to be final`
    const isStill = now - standing.movedAt >= this.timings.still
    return isStill && all.some((other) => other.now.block > head.block)
      ? `${standing.member.name} stands still at block ${head.block}`
      : undefined
  }

  private vote(now: number): Effect.Effect<Agreement, ChainUnavailable> {
    return Effect.gen({ self: this }, function* () {
      // Fixes the network as that of the first configured node that answers, not of the fastest one.
      yield* this.nodes.network
      const polled = yield* Effect.forEach(this.standings, (each) => this.askHead(each, now), {
        concurrency: "unbounded"
      })
      const answers = polled.filter((answer) => answer !== undefined)
      const votes = this.standings.map(({ failure, member: { name } }, i): Vote => {
        const answer = polled[i]
        return { name, objection: answer === undefined ? failure : this.objection(answer, answers, now) }
      })
      yield* this.reports.voted(votes, now)
      const voting = polled.filter(
        (answer, i) => answer !== undefined && votes[i]?.objection === undefined
      ) as ReadonlyArray<Answer>
      if (voting.length < this.needed) {
        const reasons = votes.flatMap(({ objection }) => objection ?? []).join("; ")
        const detail = `${voting.length} of ${votes.length} nodes vote, ${this.needed} must: ${reasons}`
        yield* this.reports.quorum(detail)
        return yield* unavailable(votes.length === 1 ? reasons : detail)
      }
      yield* this.reports.quorum(undefined)
      const lowest = voting.reduce((one, other) => (other.seen.block < one.seen.block ? other : one)).seen
      const voters = voting.map(({ standing }) => standing.member)
      if (this.agreed !== undefined && lowest.block <= this.agreed.head.block)
        return (this.agreed = { head: this.agreed.head, voters })
      this.agreed = yield* this.confirm(lowest.block, voting)
      this.known = Math.max(this.known, lowest.block)
      return this.agreed
    })
  }

  /** The header at the lowest height, if all voting nodes report the same one. */
  private confirm(block: number, voting: ReadonlyArray<Answer>): Effect.Effect<Agreement, ChainUnavailable> {
    return Effect.gen({ self: this }, function* () {
      const results = yield* Effect.forEach(
        voting,
        ({ now, standing: { member } }) =>
          Effect.result(
            Effect.map(
              now.block === block ? Effect.succeed(now) : member.use((node) => headerAt(node, block)),
              (value) => ({ member, value })
            )
          ),
        { concurrency: "unbounded" }
      )
      const found = results.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
      if (found.length < this.needed) {
        const reasons = results.flatMap((each) => (Result.isFailure(each) ? [each.failure.reason] : []))
        return yield* unavailable(`final block ${block}: ${reasons.join("; ")}`)
      }
      const head = yield* this.alike("the final block", found)
      return { head, voters: found.map(({ member }) => member) }
    })
  }
}

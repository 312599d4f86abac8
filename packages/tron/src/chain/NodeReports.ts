import type { ChainCondition } from "@agent-marketplace/core/chain/Chain"
import { Effect, Metric } from "effect"

const votes = (node: string) =>
  Metric.gauge("tron_node_votes", {
    description: "1 while the node votes on what is final.",
    attributes: { node }
  })

const disagreements = Metric.gauge("tron_node_disagreements", {
  description: "The number of subjects on which the voting nodes disagree."
})

const missing = Metric.gauge("tron_quorum_missing", {
  description: "1 while fewer nodes vote than TRON_QUORUM requires."
})

/** A node that does not vote for this long is reported; shorter failures are normal. */
const reportedAfter = 60_000

/** Whether a node voted in the last round, and why not. */
export interface Vote {
  readonly name: string
  readonly objection: string | undefined
}

/** The state of the nodes, as conditions of readiness, as metrics and in the log (CHAIN-26). */
export class NodeReports {
  /** By subject. */
  private readonly disagreements = new Map<string, string>()
  private readonly silentSince = new Map<string, number>()
  private missing: string | undefined
  private stalled: string | undefined

  get conditions(): ReadonlyArray<ChainCondition> {
    const disagree = [...this.disagreements.values()]
    return [
      ...(disagree.length === 0 ? [] : [{ kind: "nodes_disagree" as const, detail: disagree.join(" | ") }]),
      ...(this.missing === undefined ? [] : [{ kind: "quorum_missing" as const, detail: this.missing }]),
      ...(this.stalled === undefined ? [] : [{ kind: "node_stalled" as const, detail: this.stalled }])
    ]
  }

  disagreed(subject: string, detail: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const known = this.disagreements.get(subject)
      this.disagreements.set(subject, detail)
      return Effect.andThen(
        Metric.update(disagreements, this.disagreements.size),
        known === detail ? Effect.void : Effect.logError(`nothing is credited or paid: ${detail}`)
      )
    })
  }

  /** The nodes report the same about this subject. */
  agreed(subject: string): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.disagreements.delete(subject) ? Metric.update(disagreements, this.disagreements.size) : Effect.void
    )
  }

  /** Undefined while enough nodes vote. */
  quorum(detail: string | undefined): Effect.Effect<void> {
    return Effect.suspend(() => {
      const before = this.missing
      this.missing = detail
      return Effect.andThen(
        Metric.update(missing, detail === undefined ? 0 : 1),
        before === undefined && detail !== undefined
          ? Effect.logError(`nothing is credited or paid: ${detail}`)
          : Effect.void
      )
    })
  }

  voted(all: ReadonlyArray<Vote>, now: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const stalled: Array<string> = []
      for (const { name, objection } of all) {
        yield* Metric.update(votes(name), objection === undefined ? 1 : 0)
        if (objection === undefined) this.silentSince.delete(name)
        else if (!this.silentSince.has(name)) this.silentSince.set(name, now)
        if (objection !== undefined && now - (this.silentSince.get(name) ?? now) >= reportedAfter)
          stalled.push(objection)
      }
      const before = this.stalled
      this.stalled = stalled.length === 0 ? undefined : stalled.join("; ")
      if (before === undefined && this.stalled !== undefined)
        yield* Effect.logWarning(`a node has no vote, the others decide: ${this.stalled}`)
    })
  }
}

import type { DomainCheck } from "@agent-marketplace/core/domains/Domain"
import { DomainProofs } from "@agent-marketplace/core/domains/DomainProofs"
import { Effect, Layer } from "effect"
import { Resolver } from "node:dns/promises"
import type { NameResolver } from "./NameResolver.ts"
import { makeNameResolver } from "./NameResolver.ts"
import { readDocument } from "./readDocument.ts"
import type { TargetAccess } from "./ReceiverAddressRules.ts"
import type { ReceiverAgents } from "./ReceiverAgents.ts"
import { makeReceiverAgents } from "./ReceiverAgents.ts"

/** The TXT records of a name, each as its parts. Rejects if there are none. */
export type TextResolver = (name: string) => Promise<ReadonlyArray<ReadonlyArray<string>>>

export interface DomainProofOptions {
  readonly access: TargetAccess
  /** The name servers by default. */
  readonly resolve?: NameResolver
  readonly resolveText?: TextResolver
  /** How the file is requested; {@link makeReceiverAgents} by default. */
  readonly makeAgents?: typeof makeReceiverAgents
}

const makeTextResolver = (): TextResolver => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  return (name) => resolver.resolveTxt(name)
}

/** For all look-ups of one domain, because a name server can answer slowly again and again. */
const lookupTimeout = "5 seconds"

/** Name servers that answered that there is no such record. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENODATA" || error.code === "ENOTFOUND")

const hasToken = (text: string, token: string): boolean =>
  text.split(/\r?\n/).some((line) => [token, `agent-marketplace=${token}`].includes(line.trim()))

const proved: DomainCheck = { _tag: "Proved" }
const noRecord: DomainCheck = { _tag: "Absent", reason: "no TXT record has the token" }
const noAnswer: DomainCheck = { _tag: "Unreachable", reason: "the name servers did not answer" }

const ofRecords = (resolve: TextResolver, name: string, token: string): Effect.Effect<DomainCheck> =>
  Effect.callback<DomainCheck>((resume) => {
    resolve(name).then(
      (records) => resume(Effect.succeed(records.some((parts) => hasToken(parts.join(""), token)) ? proved : noRecord)),
      (error: unknown) => resume(Effect.succeed(isAnswer(error) ? noRecord : noAnswer))
    )
  }).pipe(Effect.timeoutOrElse({ duration: lookupTimeout, orElse: () => Effect.succeed(noAnswer) }))

const ofFile = (agents: ReceiverAgents, domain: string, token: string): Effect.Effect<DomainCheck> =>
  Effect.callback<DomainCheck>((resume) => {
    const url = `https://${domain}/.well-known/agent-marketplace.txt`
    const cancel = readDocument(
      agents,
      url,
      {
        found: (text) =>
          resume(
            Effect.succeed(
              typeof text === "string" && hasToken(text, token)
                ? proved
                : { _tag: "Absent", reason: `${url} does not have the token` }
            )
          ),
        failed: (reason) => resume(Effect.succeed({ _tag: "Unreachable", reason: `${url} ${reason}` }))
      },
      "text"
    )
    return Effect.sync(cancel)
  })

/** A proof anywhere counts. Without one, the domain counts as unreachable if a place that could have it cannot be read. */
const combined = (records: ReadonlyArray<DomainCheck>, file: DomainCheck): DomainCheck => {
  const all = [...records, file]
  const found = all.find(({ _tag }) => _tag === "Proved")
  if (found !== undefined) return found
  const reasons = [...new Set(all.flatMap((each) => (each._tag === "Proved" ? [] : [each.reason])))].join("; ")
  return { _tag: all.some(({ _tag }) => _tag === "Unreachable") ? "Unreachable" : "Absent", reason: reasons }
}

/** Looks for tokens with the checks and limits of webhooks (DOMAIN-3). */
export const NodeDomainProofs = {
  layer: ({
    access,
    makeAgents = makeReceiverAgents,
    resolve = makeNameResolver(),
    resolveText = makeTextResolver()
  }: DomainProofOptions) =>
    Layer.effect(
      DomainProofs,
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => makeAgents({ access, resolve })),
          (agents) => Effect.sync(agents.close)
        ),
        (agents) => ({
          check: Effect.fn("DomainProofs.check")(function* (domain, token) {
            const names = [domain, `_agent-marketplace.${domain}`]
            const [records, file] = yield* Effect.all(
              [
                Effect.forEach(names, (name) => ofRecords(resolveText, name, token), { concurrency: "unbounded" }),
                ofFile(agents, domain, token)
              ],
              { concurrency: "unbounded" }
            )
            return combined(records, file)
          })
        })
      )
    )
}

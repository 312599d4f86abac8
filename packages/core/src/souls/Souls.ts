import { Context, Effect, Layer, Option, Result } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AccountFrozen, AgentNotClaimed, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import { Forbidden, NotFound } from "../errors/MarketError.ts"
import type { Audience, EventType, MarketEvent } from "../events/MarketEvent.ts"
import { causedBy } from "../events/MarketEvent.ts"
import type { AccountId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Owner.ts"
import { Usdt } from "../money/Usdt.ts"
import { Slug } from "../slugs/Slug.ts"
import { defaultsOf } from "../fields/Field.ts"
import type { Soul, SoulDraft } from "./Soul.ts"
import { soulFields } from "./SoulFields.ts"
import { categoriesWithin } from "./SoulCategory.ts"
import { SoulJson } from "./SoulJson.ts"
import { SoulStore } from "./SoulStore.ts"

export interface SoulQuery {
  readonly category?: string | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly limit: number
  readonly offset: number
}

/** Who gets an event besides the author (EVENT-4, EVENT-5). */
const audiences: Readonly<Partial<Record<EventType, Audience>>> = {
  "soul.created": "everyone",
  "soul.updated": "users"
}

const event = (type: EventType, soul: Soul, at: number, { agentId }: Caller): MarketEvent => ({
  type,
  at,
  subject: soul.id,
  accounts: [soul.authorId],
  ...(audiences[type] === undefined ? {} : { audience: audiences[type] }),
  ...causedBy(agentId),
  data: {
    soulId: soul.id,
    slug: soul.slug,
    name: soul.name,
    author: soul.author,
    price: Usdt.format(soul.price),
    currency: "USDC",
    category: soul.category,
    version: soul.version
  }
})

interface Change {
  readonly soul: Soul
  readonly events: ReadonlyArray<MarketEvent>
}

const notFound = new NotFound({ resource: "SOUL" })
const notTheAuthor = new Forbidden({ required: ["creator"] })

/** SOULs: published, read, changed, downloaded (SOUL-5, SOUL-33, SOUL-35, SOUL-36). */
export class Souls extends Context.Service<
  Souls,
  {
    readonly create: (
      caller: Caller,
      draft: SoulDraft
    ) => Effect.Effect<Soul, AccountFrozen | AgentNotClaimed | QuotaExceeded | StoreUnavailable>
    /** The souls of a page as a JSON array, and how many there are in all. */
    readonly list: (
      query: SoulQuery
    ) => Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable>
    /** The JSON of SOUL-2, with an empty `content` where the caller may not read a paid soul's text. */
    readonly detail: (caller: Caller, slug: string) => Effect.Effect<string, NotFound | StoreUnavailable>
    /** By the author; a new content raises the version (SOUL-34). */
    readonly update: (
      caller: Caller,
      slug: string,
      patch: Partial<SoulDraft>
    ) => Effect.Effect<Soul, AgentNotClaimed | Forbidden | NotFound | StoreUnavailable>
    /** By the author; license holders can go on reading it (SOUL-35). */
    readonly remove: (
      caller: Caller,
      slug: string
    ) => Effect.Effect<Soul, AgentNotClaimed | Forbidden | NotFound | StoreUnavailable>
    readonly download: (
      caller: Caller,
      slug: string
    ) => Effect.Effect<Soul, AgentNotClaimed | Forbidden | NotFound | StoreUnavailable>
  }
>()("@agent-marketplace/core/souls/Souls") {
  static readonly layer = Layer.effect(
    Souls,
    Effect.gen(function* () {
      const store = yield* SoulStore
      const clock = yield* MarketClock
      const { soulContent } = yield* MarketConfig
      const ids = yield* idGenerator

      const licensed = (soul: Soul, account: AccountId | null) =>
        account === null ? Effect.succeed(false) : store.isLicensed(soul, account)

      /** The soul and whether its text is open to the caller; what is neither public nor his does not exist. */
      const visible = Effect.fnUntraced(function* (caller: Caller, slug: string) {
        const found = yield* store.findBySlug(slug)
        if (Option.isNone(found)) return yield* notFound
        const soul = found.value
        const isPublic = !soul.deleted && !soul.withheld && soul.visibility === "public"
        const own = soul.authorId === caller.accountId && !soul.deleted
        const open = isPublic && (soulContent === "open" || soul.price === 0n)
        const readable = own || open || (yield* licensed(soul, caller.accountId))
        if (!isPublic && !readable) return yield* notFound
        return { soul, readable }
      })

      const modifyOwn = Effect.fnUntraced(function* (caller: Caller, slug: string, change: (soul: Soul) => Change) {
        const owner = yield* ownerOf(caller)
        const modified = yield* store.modify(slug, (soul): Result.Result<Change, Forbidden | NotFound> => {
          const hidden = soul.visibility !== "public" || soul.withheld
          if (soul.deleted || (soul.authorId !== owner && hidden)) return Result.fail(notFound)
          return soul.authorId === owner ? Result.succeed(change(soul)) : Result.fail(notTheAuthor)
        })
        if (Option.isNone(modified)) return yield* notFound
        return yield* Effect.fromResult(modified.value)
      })

      return {
        create: Effect.fn("Souls.create")(function* (caller, draft) {
          const authorId = yield* ownerOf(caller)
          const now = yield* clock.now
          const request = Slug.base(draft.name, "soul", yield* ids.random(8))
          const soul: Omit<Soul, "slug"> = {
            ...defaultsOf(soulFields),
            ...draft,
            id: yield* ids.make("soul"),
            authorId,
            author: caller.accountName ?? "",
            createdAt: now,
            updatedAt: now
          }
          return yield* store.insert(soul, request, (created) => event("soul.created", created, now, caller))
        }),
        list: Effect.fn("Souls.list")((query) =>
          store.list({
            ...query,
            categories: query.category === undefined ? undefined : categoriesWithin(query.category)
          })
        ),
        detail: Effect.fnUntraced(function* (caller, slug) {
          if (soulContent === "open") {
            const json = yield* store.detailJson(slug)
            if (Option.isSome(json)) return json.value
          }
          const { readable, soul } = yield* visible(caller, slug)
          return SoulJson.close(SoulJson.detailHead(readable ? soul : { ...soul, content: "" }), soul.downloads)
        }),
        update: Effect.fn("Souls.update")(function* (caller, slug, patch) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, slug, (before) => {
            const rewritten = patch.content !== undefined && patch.content !== before.content
            const soul: Soul = {
              ...before,
              ...patch,
              version: before.version + (rewritten ? 1 : 0),
              updatedAt: now
            }
            return { soul, events: rewritten ? [event("soul.updated", soul, now, caller)] : [] }
          })
        }),
        remove: Effect.fn("Souls.remove")(function* (caller, slug) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, slug, (soul) => ({
            soul: { ...soul, deleted: true, updatedAt: now },
            events: []
          }))
        }),
        download: Effect.fn("Souls.download")(function* (caller, slug) {
          const account = yield* ownerOf(caller)
          const { readable, soul } = yield* visible(caller, slug)
          if (!readable) return yield* new Forbidden({ required: ["license"] })
          yield* store.download(soul, account, event("soul.downloaded", soul, yield* clock.now, caller))
          return soul
        })
      }
    })
  )
}

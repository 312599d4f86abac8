import type { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { Effect } from "effect"
import { JsonRpc } from "../protocol/JsonRpc.ts"
import type { JsonRpcAnswer, JsonRpcFault, JsonRpcId } from "../protocol/JsonRpc.ts"
import { notice } from "../tools/MarketTool.ts"
import type { InstallableSkill } from "./InstallableSkill.ts"
import { installableSkill, NotServed } from "./InstallableSkill.ts"
import { SkillUri } from "./SkillUri.ts"

type Params = Readonly<Record<string, unknown>>

/** How long a host may keep an entry. A withdrawn skill can no longer be read, whatever the host keeps. */
const caching = { ttlMs: 60_000, cacheScope: "private" } as const

/** Each entry costs two requests, so pages are short. */
const pageSize = 10

/** How many pages of free skills the list has. A host shows a model every name and description that is listed, and free skills have no end. */
const freePages = 2

const invalidParams = -32602

class InvalidParams extends Error {}

/** The entry of a skill, with the digests of its files, and its verdict beside it (MCP-19). */
const entryOf = ({ frontMatter, itemId, name, release }: InstallableSkill) => {
  const uriOf = (path: string) => SkillUri.of({ itemId, name, path })
  const { files, sha256, verdict, version } = release
  return {
    uri: uriOf("SKILL.md"),
    frontmatter: frontMatter,
    resources: files.map((file) => ({ uri: uriOf(file.path), digest: `sha256:${file.sha256}`, size: file.size })),
    _meta: {
      "agent-marketplace/release": { itemId, version, sha256 },
      "agent-marketplace/trust": { level: verdict?.level ?? null, ruleset: verdict?.ruleset ?? null }
    }
  }
}

const completed = (result: object) => ({
  resultType: "complete",
  ...result,
  ...caching,
  _meta: { "agent-marketplace/notice": notice }
})

/** A page of what the account has licenses for, or of free skills, which come after it. */
interface ListPage {
  readonly of: "licenses" | "free"
  readonly page: number
}

const pageAt = (cursor: unknown): ListPage => {
  if (cursor === undefined || cursor === null) return { of: "licenses", page: 1 }
  const [, free, page = ""] = (typeof cursor === "string" && /^(free-)?([1-9]\d{0,5})$/.exec(cursor)) || []
  if (page === "" || (free !== undefined && Number(page) > freePages))
    throw new InvalidParams("cursor must be the nextCursor of an earlier result")
  return { of: free === undefined ? "licenses" : "free", page: Number(page) }
}

/** Whether an item of the list is left out: it has no release, or what the license opened is withdrawn. */
const isLeftOut = (error: unknown): boolean =>
  error instanceof NotServed || (error instanceof MarketplaceError && [402, 404, 409].includes(error.statusCode))

interface Listed {
  readonly ids: ReadonlyArray<string>
  readonly nextCursor: string | undefined
}

const licensedIds = async (market: Marketplace, page: number, limit: number, signal: AbortSignal) => {
  const { pagination, purchases } = await market.purchases.list({ status: "completed", page, limit }, { signal })
  const valid = purchases.filter(({ isValid, skill }) => isValid && skill.id.startsWith("lst_"))
  return { ids: valid.map(({ skill }) => skill.id), hasMore: pagination.hasMore }
}

const licensed = async (market: Marketplace, page: number, signal: AbortSignal): Promise<Listed> => {
  const { hasMore, ids } = await licensedIds(market, page, pageSize, signal)
  return { ids, nextCursor: hasMore ? String(page + 1) : "free-1" }
}

/** The most sold free skills whose verdict has no warning, without those that the newest licenses are for. */
const free = async (market: Marketplace, page: number, signal: AbortSignal): Promise<Listed> => {
  const filter = { maxPrice: 0, sortBy: "popular", page, limit: pageSize } as const
  const [{ pagination, skills }, { ids: listed }] = await Promise.all([
    market.skills.list(filter, { signal }),
    licensedIds(market, 1, 100, signal)
  ])
  const offered = skills.filter(
    ({ delivery, id, trust }) =>
      delivery === "release" && (trust === "clean" || trust === "notice") && !listed.includes(id)
  )
  const nextCursor = pagination.hasMore && page < freePages ? `free-${page + 1}` : undefined
  return { ids: offered.map(({ id }) => id), nextCursor }
}

const list = async (market: Marketplace, { cursor }: Params, signal: AbortSignal) => {
  const { of, page } = pageAt(cursor)
  const { ids, nextCursor } = await (of === "free" ? free : licensed)(market, page, signal)
  const found = await Promise.all(
    [...new Set(ids)].map((id) =>
      installableSkill(market, id, signal).catch((error: unknown) => {
        if (isLeftOut(error)) return undefined
        throw error
      })
    )
  )
  return completed({
    skills: found.filter((skill) => skill !== undefined).map(entryOf),
    ...(nextCursor === undefined ? {} : { nextCursor })
  })
}

const get = async (market: Marketplace, { uri }: Params, signal: AbortSignal) => {
  if (typeof uri !== "string") throw new InvalidParams("uri is required, and must be a string")
  const address = SkillUri.read(uri)
  const skill = address?.path === "SKILL.md" ? await installableSkill(market, address.itemId, signal) : undefined
  if (skill === undefined || skill.name !== address?.name) throw new InvalidParams(`No skill is served at ${uri}`)
  return completed({ skill: entryOf(skill) })
}

/** Why nothing was served, as a host can show it. */
export const skillFault = (error: unknown): JsonRpcFault => {
  if (error instanceof InvalidParams || error instanceof NotServed)
    return { code: invalidParams, message: error.message }
  if (!(error instanceof MarketplaceError)) return { code: -32603, message: "Internal error" }
  const { code, details, message, statusCode } = error
  const isAbsent = statusCode === 400 || statusCode === 402 || statusCode === 404 || statusCode === 409
  return { code: isAbsent ? invalidParams : -32603, message, data: { code, details } }
}

const methods: ReadonlyMap<string, (market: Marketplace, params: Params, signal: AbortSignal) => Promise<object>> =
  new Map([
    ["skills/list", list],
    ["skills/get", get]
  ])

/** Since 2026-07-28 every request states what its client supports. */
const statesCapabilities = (params: Params): boolean => {
  const meta = params["_meta"]
  if (typeof meta !== "object" || meta === null || !("io.modelcontextprotocol/protocolVersion" in meta)) return true
  return "io.modelcontextprotocol/clientCapabilities" in meta
}

/**
 * The methods of MCP's extension for skills (MCP-15); undefined for any other method. They serve what the caller may install: the list has what its account
 * has licenses for, then the most sold free skills; `skills/get` finds every free skill and the account's own too.
 */
export const skillMethod = (
  method: string
): ((market: Marketplace, id: JsonRpcId, params: unknown) => Effect.Effect<JsonRpcAnswer>) | undefined => {
  const run = methods.get(method)
  if (run === undefined) return undefined
  return (market, id, params) => {
    const given = typeof params === "object" && params !== null ? (params as Params) : {}
    if (!statesCapabilities(given))
      return Effect.succeed(
        JsonRpc.failed(id, {
          code: invalidParams,
          message: "_meta must state io.modelcontextprotocol/clientCapabilities"
        })
      )
    return Effect.tryPromise({ try: (signal) => run(market, given, signal), catch: skillFault }).pipe(
      Effect.match({
        onSuccess: (result) => JsonRpc.succeeded(id, result),
        onFailure: (fault) => JsonRpc.failed(id, fault)
      })
    )
  }
}

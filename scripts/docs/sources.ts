import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { operations } from "../../packages/client/src/operations/operations.ts"
import type { MarketRequest } from "../../packages/client/src/requests/Send.ts"
import type { OpenApiDocument } from "../../packages/console/web/docs/OpenApi.ts"
import type { AccessFacts, ClientCall, GuideSource } from "../../packages/console/web/docs/Sources.ts"
import { guides } from "./guides.ts"

const repository = join(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(repository, file), "utf8")

export const openApiDocument = (): OpenApiDocument => JSON.parse(read("packages/api/openapi.json")) as OpenApiDocument

/** Links to programs: the page shows the linked files at its end. */
const programLink = /\]\(([^)#\s]+\.(?:ts|go|py))\)/g

/** The pages of `docs` that are shown, with the programs to which they link. */
export const guideSources = (): ReadonlyArray<GuideSource> =>
  guides.map(({ file, group, name }) => {
    const markdown = read(file)
    const linked = [...markdown.matchAll(programLink)].map(([, target = ""]) => posix.join(posix.dirname(file), target))
    const programs = [...new Set(linked)].filter((path) => path.startsWith("docs/"))
    return { name, group, file, markdown, programs: Object.fromEntries(programs.map((path) => [path, read(path)])) }
  })

const scopes = ["READ", "BUYER", "SELLER", "FULL"]

const keysOf = (allowed: ReadonlySet<string>, prefix: string, label: string): ReadonlyArray<string> => {
  const those = scopes.filter((scope) => allowed.has(prefix + scope))
  if (those.length === 0) return []
  return [those.length === scopes.length ? `${label}: any scope` : `${label}: ${those.join(", ")}`]
}

const factsOf = (allowed: ReadonlySet<string>): AccessFacts => {
  if (allowed.has("none")) return { credential: "none", words: ["Everybody, without a key"] }
  const keys = [...keysOf(allowed, "", "Owner's key"), ...keysOf(allowed, "agent ", "Agent's key")]
  const words = [...keys]
  if (allowed.has("session")) words.push("Session")
  if (allowed.has("operator")) words.push("Operator")
  const credential = keys.length > 0 ? "key" : allowed.has("operator") ? "operator" : "session"
  return { credential, words }
}

/** The callers that may use each operation, from the tables of `docs/access.md`, which a check compares with the code. */
export const accessFacts = (): Readonly<Record<string, AccessFacts>> => {
  const allowed = new Map<string, Set<string>>()
  let columns: ReadonlyArray<string> = []
  for (const line of read("docs/access.md").split("\n")) {
    if (!line.startsWith("| ")) continue
    const [first = "", ...cells] = line
      .slice(1, line.lastIndexOf("|"))
      .split("|")
      .map((cell) => cell.trim())
    if (first === "Operation") columns = cells
    const request = /^`(.*)`$/.exec(first)?.[1]?.replaceAll(/:(\w+)/g, "{$1}")
    if (request === undefined) continue
    const known = allowed.get(request) ?? new Set()
    columns.forEach((column, index) => cells[index] === "yes" && known.add(column))
    allowed.set(request, known)
  }
  return Object.fromEntries([...allowed].map(([request, callers]) => [request, factsOf(callers)]))
}

type Call = (...args: ReadonlyArray<unknown>) => unknown

interface Table {
  readonly [name: string]: Table | ((send: unknown) => Call)
}

const functionsOf = (table: Table, path = ""): ReadonlyArray<readonly [string, (send: unknown) => Call]> =>
  Object.entries(table).flatMap(([name, value]) => {
    if (typeof value !== "function") return functionsOf(value, `${path}${name}.`)
    return name.startsWith("iterate") ? [] : [[path + name, value] as const]
  })

const ids = ["{id-1}", "{id-2}"]

/** The request that a call sends with this number of ids; undefined if it needs more. */
const requestOf = async (make: (send: unknown) => Call, count: number): Promise<string | undefined> => {
  let sent: string | undefined
  const send = (request: MarketRequest) => {
    sent = `${request.method} ${decodeURIComponent(request.path.split("?")[0] ?? "")}`
    return Promise.reject(new Error("nothing is sent"))
  }
  try {
    const called = make(send)(...ids.slice(0, count), {})
    if (called !== null && typeof called === "object" && Symbol.asyncIterator in called)
      await (called as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
    else await called
  } catch {
    // Each call fails: `sent` is what it would have sent.
  }
  return sent?.includes("[object") === true ? undefined : sent
}

/** The operation of the client library for each request of the document, found by calling every operation. */
export const clientCalls = async (): Promise<Readonly<Record<string, ClientCall>>> => {
  const found: Record<string, ClientCall> = {}
  const requests = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  for (const [name, make] of functionsOf(operations as unknown as Table)) {
    for (const count of [0, 1, 2]) {
      const sent = await requestOf(make, count)
      if (sent === undefined) continue
      const shape = sent.replaceAll(/\{[^}]*\}/g, "{}")
      const request = requests.find((each) => each.replaceAll(/\{[^}]*\}/g, "{}") === shape)
      if (request !== undefined) found[request] ??= { name, ids: count }
      break
    }
  }
  return found
}

import type { OpenApiDocument } from "./OpenApi.ts"
import type { SearchEntry } from "./search.ts"

/** A page of `docs` that is shown as a guide. */
export interface GuideSource {
  /** The last part of its address. */
  readonly name: string
  readonly group: string
  /** The path of the file in the repository. */
  readonly file: string
  readonly markdown: string
  /** Programs to which the page links, by their paths in the repository. */
  readonly programs: Readonly<Record<string, string>>
}

/** The credential that a sample sends: the one with the fewest rights that the operation accepts. */
export type Credential = "none" | "key" | "operator" | "session"

/** Who may call an operation, in words. */
export interface AccessFacts {
  readonly credential: Credential
  readonly words: ReadonlyArray<string>
}

/** The operation of the client library for an endpoint. */
export interface ClientCall {
  /** Below the client: `skills.buy`. */
  readonly name: string
  /** The number of ids before the input. */
  readonly ids: number
}

/** What the pages are made from. */
export interface Sources {
  readonly document: OpenApiDocument
  readonly guides: ReadonlyArray<GuideSource>
  /** By method and path: `GET /api/souls`. */
  readonly access: Readonly<Record<string, AccessFacts>>
  readonly clientCalls: Readonly<Record<string, ClientCall>>
}

/** The names of the files that every page loads. */
export interface BuiltFiles {
  readonly script: string
  readonly style: string
  readonly search: string
}

/** What `render.tsx` exports. */
export interface Renderer {
  /** Every page by its path below `/docs`. */
  readonly renderPages: (sources: Sources, files: BuiltFiles) => Readonly<Record<string, string>>
  /** The search index, which the browser loads when somebody searches. */
  readonly searchIndex: (sources: Sources) => ReadonlyArray<SearchEntry>
}

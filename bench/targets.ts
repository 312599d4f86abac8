/** What is measured, and against what. `docs/performance.md` shows every row. */

export interface Target {
  readonly row: number
  readonly work: string
  readonly target: string
  /** What measures it, if it is not `npm run bench` alone. */
  readonly command?: string
}

const long = (file: string): string => `npm run test:long -- ${file}`

export const targets: ReadonlyArray<Target> = [
  { row: 1, work: "detail of a soul or a skill", target: "≥ 1.2 × `node:http` and `pg`" },
  { row: 2, work: "list of 50", target: "≥ 2 × `node:http` and `pg`" },
  { row: 3, work: "buy, many items", target: "≥ 2 × one transaction for each purchase" },
  { row: 4, work: "buy, one item of one seller", target: "≥ 5 × the reference, ≥ 0.8 × row 3" },
  { row: 5, work: "buy against `pgbench`", target: "≥ 1 × PostgreSQL alone, one statement for each purchase" },
  { row: 6, work: "activity feed", target: "≥ 3 × `node:http` and `pg`" },
  { row: 7, work: "search of a common word, 1,000,000 listings", target: "≥ 400/s, p99 < 150 ms" },
  { row: 8, work: "buy at half of its highest rate", target: "p99 < 50 ms" },
  { row: 9, work: "reads with two server processes", target: "≥ 1.5 × one process" },
  { row: 10, work: "webhook deliveries from a backlog", target: "≥ 0.7 × a bare `fetch` loop" },
  { row: 11, work: "TRON blocks while catching up, 100,000 addresses, 300 transfers each", target: "≥ 200/s" },
  { row: 12, work: "resident memory after 1,000,000 requests", target: "< 300 MB" },
  { row: 13, work: "time to ready", target: "< 1.5 s; with the embedded database, second start, < 4 s" },
  { row: 14, work: "client library, gzipped", target: "< 15 kB, no dependencies" },
  { row: 15, work: "cost of a buy with 10⁷ ledger lines", target: "< 1.3 × that with 10⁴" },
  { row: 16, work: "search of two words", target: "≥ 1 × at 10,000 listings, ≥ 400/s at 1,000,000" },
  {
    row: 17,
    work: "Medusa and Vendure",
    target: "≥ 100 × their orders, ≥ 20 × their reads",
    command: "npm run bench -- --peers"
  },
  { row: 18, work: "5,000 open streams, 100 events/s", target: "median < 100 ms, < 40 kB for each stream" },
  { row: 19, work: "GraphQL: 50 listings with creator and stats", target: "≥ 0.5 × the REST list" },
  { row: 20, work: "scan of 1,000 files of 10 kB", target: "< 2 s on one core, requests beside it ≥ 0.8 × their rate" },
  { row: 21, work: "agent's buy to the owner's open inbox", target: "< 500 ms", command: long("Inbox") },
  {
    row: 22,
    work: "primary killed under load",
    target: "back < 5 s, nothing lost or doubled",
    command: long("Failover")
  },
  { row: 23, work: "others' p99 beside one account at full speed", target: "≤ 1.33 ×" },
  { row: 24, work: "twice the highest rate", target: "p99 of accepted requests < 200 ms, recovery < 5 s" },
  {
    row: 25,
    work: "console, first route and shop window",
    target: "≤ 180 kB and ≤ 90 kB gzipped, first contentful paint < 1 s",
    command: long("FirstPaint")
  },
  { row: 26, work: "`npm test` on 2 cores", target: "< 5 min", command: "npm test" }
]

import { parser } from "@prometheus-io/lezer-promql"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { parse } from "yaml"
import { sharedServer } from "./fixtures/sharedServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const root = new URL("../../..", import.meta.url).pathname

const text = (path: string): string => readFileSync(join(root, path), "utf8")

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

interface Panel {
  readonly title: string
  readonly targets?: ReadonlyArray<{ readonly expr: string }>
}

const rules = (
  parse(text("ops/prometheus/alerts.yaml")) as {
    readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }>
  }
).groups.flatMap((group) => group.rules)

const { panels } = JSON.parse(text("ops/grafana/dashboard.json")) as { readonly panels: ReadonlyArray<Panel> }

const queries = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ targets = [], title }) => targets.map(({ expr }) => ({ where: title, expr })))
]

/** Metrics that this server does not have yet or never has: those of TRON and of replicas, and those that appear with the first event. Found in the sources instead. */
const absent: Readonly<Record<string, ReadonlyArray<string>>> = {
  database_replica_lag_seconds: ["host"],
  database_replica_reads_total: ["host"],
  database_replica_used: ["host"],
  http_rate_limited_total: ["limit"],
  webhook_attempts: ["outcome"],
  live_streams_open: [],
  tron_hot_wallet_trx: [],
  tron_hot_wallet_usdt: [],
  tron_node_votes: ["node"],
  tron_node_disagreements: [],
  tron_quorum_missing: []
}

/** Labels that Prometheus and `PROCESSES` add. */
const added = ["job", "instance", "process"]

/** The labels of each metric of a text of `/metrics`. */
const labelsOf = (metrics: string): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  for (const [, name = "", labels = ""] of metrics.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? /gm)) {
    const known = found.get(name) ?? new Set(added)
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label)
    found.set(name, known)
  }
  return found
}

/** The texts of all nodes of that name in the query. Grafana replaces its own variables, here by a duration. */
const nodesOf = (expr: string, name: string): ReadonlyArray<string> => {
  const query = expr.replaceAll("$__rate_interval", "1m")
  const found: Array<string> = []
  parser.parse(query).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${expr}`)
      if (node.name === name) found.push(query.slice(node.from, node.to))
    }
  })
  return found
}

/** The names of the metrics of a query. */
const metricsOf = (expr: string): ReadonlyArray<string> =>
  nodesOf(expr, "VectorSelector").map((selector) => /^[\w:]+/.exec(selector)?.[0] ?? "")

describe("dashboard and alerts (SYSTEM-24)", () => {
  let metrics = new Map<string, Set<string>>()

  beforeAll(async () => {
    const { baseUrl } = await sharedServer()
    const sources = globSync("packages/{core,http,postgres,tron}/src/**/*.ts", { cwd: root }).map(text).join("\n")
    for (const name of Object.keys(absent)) assert.include(sources, `"${name}"`)
    const scrape = async () => {
      metrics = labelsOf(await (await fetch(`${baseUrl}/metrics`)).text())
      metrics.set("up", new Set(added))
      for (const [name, labels] of Object.entries(absent))
        metrics.set(name, new Set([...added, ...labels, ...(metrics.get(name) ?? [])]))
      return queries.every(({ expr }) => metricsOf(expr).every((name) => metrics.has(name))) || undefined
    }
    // Some metrics appear with the first run of a job. Those that never do are named by the first test.
    await waitFor("every metric", scrape, 30_000).catch(() => undefined)
  })

  it("every query is PromQL, and each of its metrics exists", () => {
    assert.isAbove(queries.length, 40)
    for (const { expr, where } of queries) {
      assert.isNotEmpty(metricsOf(expr), where)
      for (const name of metricsOf(expr)) assert.isTrue(metrics.has(name), `${where}: no metric ${name}`)
    }
    assert.throws(() => nodesOf("sum(rate(x[5m])", "VectorSelector"), /not PromQL/)
  })

  it("every label of a query is one of its metric's", () => {
    assert.deepStrictEqual(nodesOf('sum by (a) (x{b="c"})', "LabelName"), ["a", "b"])
    for (const { expr, where } of queries)
      for (const label of nodesOf(expr, "LabelName"))
        assert.isTrue(
          metricsOf(expr).some((name) => metrics.get(name)?.has(label)),
          `${where}: no label ${label}`
        )
  })

  it("every alert waits, has a severity and a summary, and a section of the runbook; every section has an alert", () => {
    for (const { alert, annotations, for: time, labels } of rules) {
      assert.match(time, /^\d+m$/, alert)
      assert.include(["critical", "warning"], labels.severity, alert)
      assert.isNotEmpty(annotations.summary, alert)
    }
    const sections = [...text("docs/runbook.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    assert.deepStrictEqual(
      sections,
      rules.map(({ alert }) => alert)
    )
  })
})

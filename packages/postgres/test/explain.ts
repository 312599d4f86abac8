import type { Client } from "pg"

export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** A node of a plan and all below it. */
export const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The table that a node reads, by the name of the whole table if it reads a partition. */
const tableOf = (node: PlanNode): string => (node["Relation Name"] ?? "").replace(/_(?:\d+|default)$/, "")

/**
 * Which of the named tables a statement reads whole, in its plan for the given parameters, or with `generic` in its plan for any.
 */
export const scannedWhole = async (
  client: Client,
  { parameters, text }: Statement,
  tables: ReadonlyArray<string>,
  generic = false
): Promise<ReadonlyArray<string>> => {
  const { rows } = generic
    ? await client.query(`EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`)
    : await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...parameters])
  const [{ Plan }] = rows[0]["QUERY PLAN"] as readonly [{ readonly Plan: PlanNode }]
  const scanned = nodesOf(Plan).filter((node) => node["Node Type"] === "Seq Scan" && tables.includes(tableOf(node)))
  const { rows: empty } = await client.query<{ readonly name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' AND pg_relation_size(oid) = 0"
  )
  // A partition that was made ahead is read in no time.
  return scanned.filter((node) => !empty.some(({ name }) => name === node["Relation Name"])).map(tableOf)
}

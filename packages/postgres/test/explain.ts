import type { Client } from "pg"

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

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
  const [{ Plan }] = rows[0]["QUERY PLAN"] as readonly [{ readonly Plan: Node }]
  return nodesOf(Plan)
    .filter((node) => node["Node Type"] === "Seq Scan" && tables.includes(node["Relation Name"] ?? ""))
    .map((node) => node["Relation Name"] ?? "")
}

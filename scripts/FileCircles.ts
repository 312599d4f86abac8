/** The imports of each module, including type imports, by path. */
export type ImportGraph = ReadonlyMap<string, ReadonlyArray<string>>

/** Every circular import, once, as the path from its first module back to it. */
export const circlesOf = (graph: ImportGraph): ReadonlyArray<ReadonlyArray<string>> => {
  const finished = new Set<string>()
  const trail: Array<string> = []
  const circles = new Map<string, ReadonlyArray<string>>()
  const visit = (path: string): void => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      const circle = trail.slice(start)
      circles.set(circle.toSorted().join(" "), [...circle, path])
      return
    }
    if (finished.has(path)) return
    trail.push(path)
    for (const imported of graph.get(path) ?? []) visit(imported)
    trail.pop()
    finished.add(path)
  }
  for (const path of graph.keys()) visit(path)
  return [...circles.values()]
}

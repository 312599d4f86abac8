/** A secondary index: ids by the key that they belong to. */
export const Index = {
  add: <K, V>(index: Map<K, Set<V>>, key: K, value: V): void => {
    const found = index.get(key)
    if (found === undefined) index.set(key, new Set([value]))
    else found.add(value)
  },
  /** The records behind the ids, in the order in which they were added. */
  records: <K, V, A>(index: ReadonlyMap<K, ReadonlySet<V>>, key: K, table: ReadonlyMap<V, A>): Array<A> => {
    const records: Array<A> = []
    for (const id of index.get(key) ?? []) {
      const record = table.get(id)
      if (record !== undefined) records.push(record)
    }
    return records
  }
}

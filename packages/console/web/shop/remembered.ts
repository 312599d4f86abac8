/** How many characters of texts and results are kept, all together. */
const keptCharacters = 8_000_000

/**
 * A pure function of a text whose newest results are kept (SHOP-11), because formatting a long text takes up to 0.3 s in which the server
 * answers nobody else. The results that were not used for the longest time go first.
 */
export const remembered = (
  compute: (text: string) => string,
  bound: number = keptCharacters
): ((text: string) => string) => {
  const kept = new Map<string, string>()
  let size = 0
  const drop = (text: string): void => {
    size -= text.length + (kept.get(text)?.length ?? 0)
    kept.delete(text)
  }
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) drop(text)
    const result = known ?? compute(text)
    kept.set(text, result)
    size += text.length + result.length
    for (const oldest of kept.keys()) {
      if (size <= bound) break
      drop(oldest)
    }
    return result
  }
}

/** The bytes of all chunks, in their order. */
export const concatenated = (chunks: Iterable<Uint8Array>): Uint8Array => {
  const all = [...chunks]
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of all) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

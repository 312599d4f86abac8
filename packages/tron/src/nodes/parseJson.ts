const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** A block has fewer transactions. For a longer array `JSON.parse` needs less time and memory. */
const mostElements = 20_000

/** The index of the quote that closes the string that starts at `start`; not less than the length if there is none. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let i = start + 1
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

/**
 * The indexes of the array's brackets and of the commas between its elements. Undefined if the text is not an array, has space around it or has too
 * many elements.
 */
const separatorsOf = (bytes: Uint8Array): ReadonlyArray<number> | undefined => {
  if (bytes[0] !== openArray) return undefined
  const found = [0]
  let depth = 1
  for (let i = 1; i < bytes.length && found.length <= mostElements; i++) {
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i)
    else if (byte === openObject || byte === openArray) depth++
    else if (byte === comma && depth === 1) found.push(i)
    else if ((byte === closeObject || byte === closeArray) && --depth === 0) {
      found.push(i)
      return byte === closeArray && i === bytes.length - 1 ? found : undefined
    }
  }
  return undefined
}

/**
 * As `JSON.parse`, but array elements are decoded and parsed one by one. A block's response is longer than 128 kB. For each string of that size V8
 * requests memory from the operating system, which costs more than parsing it.
 */
export const parseJson = (bytes: Buffer): unknown => {
  const separators = separatorsOf(bytes)
  if (separators === undefined || separators.length <= 2) return JSON.parse(bytes.toString("utf8"))
  return separators.slice(1).map((end, i): unknown => JSON.parse(bytes.toString("utf8", (separators[i] ?? 0) + 1, end)))
}

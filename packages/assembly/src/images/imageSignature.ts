const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const startsWith = (bytes: Uint8Array, expected: ReadonlyArray<number>, at = 0): boolean =>
  expected.every((byte, position) => bytes[at + position] === byte)

const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))

/** The format by the first bytes, whatever a name or a header says. */
export const formatOf = (bytes: Uint8Array): "png" | "jpeg" | "webp" | undefined => {
  if (startsWith(bytes, pngSignature)) return "png"
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return "jpeg"
  return textAt(bytes, 0) === "RIFF" && textAt(bytes, 8) === "WEBP" ? "webp" : undefined
}

/** Whether a PNG has a chunk for animation before its first data, which decoders of still pictures ignore. */
export const isAnimatedPng = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = pngSignature.length; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = textAt(bytes, at + 4)
    if (type === "acTL") return true
    if (type === "IDAT") return false
  }
  return false
}

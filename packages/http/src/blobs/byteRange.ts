import type { ByteRange } from "@agent-marketplace/core/blobs/BlobStore"

/**
 * The range that a `Range` header selects from a blob of `size` bytes (RFC 9110, 14.2). "all" if there is no header, or if the header may be
 * ignored: another unit, invalid syntax, or several ranges. "unsatisfiable" if it selects no byte.
 */
export const byteRange = (header: string | undefined, size: number): ByteRange | "all" | "unsatisfiable" => {
  const [, from = "", to = ""] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "") ?? []
  if (from === "" && to === "") return "all"
  if (from === "") {
    const length = Math.min(Number(to), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size }
  }
  const start = Number(from)
  const end = to === "" ? size : Math.min(Number(to) + 1, size)
  if (to !== "" && Number(to) < start) return "all"
  return start >= size ? "unsatisfiable" : { start, end }
}

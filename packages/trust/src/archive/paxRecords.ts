import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"
import { decodeName } from "./tarHeader.ts"

const refuse = (message: string): ArchiveRefused => new ArchiveRefused("extended_header", message)

const malformed = (): ArchiveRefused => refuse("a pax header of the tar is malformed")

const equals = 0x3d

/** The records `length key=value\n` of a pax header. A key that occurs twice is refused, because programs disagree on which one counts. */
const recordsOf = (body: Buffer): ReadonlyMap<string, Buffer> => {
  const records = new Map<string, Buffer>()
  let at = 0
  while (at < body.length) {
    const digits = /^([1-9][0-9]{0,6}) /.exec(body.toString("latin1", at, at + 8))?.[1]
    if (digits === undefined) throw malformed()
    const start = at + digits.length + 1
    const end = at + Number(digits)
    const split = body.subarray(0, end).indexOf(equals, start)
    if (end > body.length || split <= start || body[end - 1] !== 0x0a) throw malformed()
    const key = body.toString("latin1", start, split)
    if (records.has(key)) throw refuse(`a pax header of the tar repeats ${quoted(key)}`)
    records.set(key, body.subarray(split + 1, end - 1))
    at = end
  }
  return records
}

/** Numbers that are not used. They are checked, because some programs stop reading the archive at an invalid one. */
const numbers: Readonly<Record<string, RegExp>> = {
  atime: /^-?\d{1,20}(?:\.\d{0,20})?$/,
  ctime: /^-?\d{1,20}(?:\.\d{0,20})?$/,
  mtime: /^-?\d{1,20}(?:\.\d{0,20})?$/,
  uid: /^\d{1,20}$/,
  gid: /^\d{1,20}$/,
  size: /^\d{1,20}$/
}

const checkKey = (key: string, value: string): void => {
  if (key.startsWith("GNU.sparse.") || key === "SCHILY.realsize")
    throw new ArchiveRefused("sparse", "the tar contains a sparse file; store it in full")
  if (Object.hasOwn(numbers, key) && numbers[key]?.test(value) === false)
    throw refuse(`a pax header of the tar has an invalid ${key}`)
  if (key === "linkpath") throw new ArchiveRefused("link", `the tar contains a link to ${quoted(value)}`)
  if (key === "SCHILY.filetype" || key.startsWith("GNU."))
    throw refuse(`a pax header of the tar changes the kind of an entry with ${quoted(key)}`)
  if (key === "hdrcharset" && value !== "ISO-IR 10646 2000 UTF-8")
    throw new ArchiveRefused("name_encoding", "a pax header of the tar contains names that are not in UTF-8")
}

export interface PaxHeader {
  readonly path?: string
  readonly size?: string
}

/** The fields of the next entry that a pax header sets. Times, owners and extended attributes are ignored. */
export const readPaxHeader = (body: Buffer, global: boolean): PaxHeader => {
  const records = recordsOf(body)
  for (const [key, value] of records) checkKey(key, value.toString("latin1"))
  const path = records.get("path")
  const size = records.get("size")
  if (global && (path !== undefined || size !== undefined))
    throw refuse("a global pax header of the tar sets the name or size of every entry")
  if (path?.length === 0) throw refuse("a pax header of the tar has an empty path")
  return {
    ...(path === undefined ? {} : { path: decodeName(path) }),
    ...(size === undefined ? {} : { size: size.toString("latin1") })
  }
}

/** The forms of values that JSON does not have. The key of a plain object that could be mistaken for one is escaped. */
const encodeObject = (value: object): unknown => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return value.map(encode)
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") }
  if (value instanceof Map) return { $map: [...value].map(encode) }
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`a stored value is a ${value.constructor.name}, which the file cannot hold`)
  const fields: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) fields[key.startsWith("$") ? `$${key}` : key] = encode(field)
  }
  return fields
}

const encode = (value: unknown): unknown => {
  switch (typeof value) {
    case "bigint":
      return { $integer: String(value) }
    case "number":
      return Number.isFinite(value) ? value : { $number: String(value) }
    case "object":
      return value === null ? null : encodeObject(value)
    case "string":
    case "boolean":
      return value
    default:
      throw new TypeError(`a stored value is a ${typeof value}, which the file cannot hold`)
  }
}

const decode = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(decode)
  const fields: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    if (key === "$integer") return BigInt(String(field))
    if (key === "$number") return Number(field)
    if (key === "$map") return new Map(decode(field) as ReadonlyArray<readonly [unknown, unknown]>)
    if (key === "$bytes") return new Uint8Array(Buffer.from(String(field), "base64"))
    fields[key.startsWith("$$") ? key.slice(1) : key] = decode(field)
  }
  return fields
}

/** JSON with integers of any size and bytes, which a person can read with `sqlite3`. Refuses instances of classes. */
export const StoredJson = {
  stringify: (value: unknown): string => JSON.stringify(encode(value)),
  parse: (text: string): unknown => decode(JSON.parse(text))
}

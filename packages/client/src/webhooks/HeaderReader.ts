/** Headers as servers have them: a `Headers`, a plain record, Node's `IncomingHttpHeaders`. Names in any case. */
export type HeadersLike =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The value of a header; undefined where there is none. One that was sent more than once has its values joined. */
export type HeaderReader = (lowerCaseName: string) => string | undefined

const isHeaders = (headers: HeadersLike): headers is { readonly get: (name: string) => string | null } =>
  typeof headers["get"] === "function"

export const headerReader = (headers: HeadersLike): HeaderReader => {
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = values.get(name)
    return value === undefined || typeof value === "string" ? value : value.join(",")
  }
}

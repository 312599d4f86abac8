import type { Operation, Parameter } from "./OpenApi.ts"
import type { ClientCall, Credential } from "./Sources.ts"

/** Stands in samples for the market's URL, which the server and the page insert. */
export const marketUrl = "https://market-url.invalid"

const named = (parameters: ReadonlyArray<Parameter> = [], place: Parameter["in"]) =>
  parameters.filter((parameter) => parameter.in === place)

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const bodyOf = ({ requestBody }: Operation) => Object.entries(requestBody?.content ?? {})[0]

const urlOf = ({ parameters, path }: Operation): string => {
  const filled = named(parameters, "path").reduce(
    (url, { example, name }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    path
  )
  const query = named(parameters, "query").filter(({ required }) => required === true)
  const search = new URLSearchParams(query.map(({ example, name }) => [name, String(example)])).toString()
  return `${marketUrl}${filled}${search === "" ? "" : `?${search}`}`
}

const credentials: Readonly<Record<Credential, ReadonlyArray<string>>> = {
  none: [],
  key: [`-H "Authorization: Bearer $MARKETPLACE_API_KEY"`],
  operator: [`-H "Authorization: Bearer $ADMIN_TOKEN"`],
  session: [`-b "__Host-session=$SESSION"`, `-H "Origin: ${marketUrl}"`, `-H "X-Requested-With: console"`]
}

/** A command line that sends the request. */
export const curlSample = (operation: Operation, credential: Credential): string => {
  const [contentType, media] = bodyOf(operation) ?? []
  const once = named(operation.parameters, "header").find(({ name }) => name === "Idempotency-Key")
  const lines = [
    `curl${operation.method === "GET" ? "" : ` -X ${operation.method}`} ${shellQuoted(urlOf(operation))}`,
    ...credentials[credential],
    ...(once === undefined ? [] : [`-H ${shellQuoted(`Idempotency-Key: ${String(once.example)}`)}`])
  ]
  if (contentType !== undefined) lines.push(`-H ${shellQuoted(`Content-Type: ${contentType}`)}`)
  if (contentType === "application/json") lines.push(`-d ${shellQuoted(JSON.stringify(media?.example, null, 2))}`)
  else if (contentType !== undefined) lines.push("--data-binary @skill.tar.gz")
  return lines.join(" \\\n  ")
}

/** A value as TypeScript source: JSON without quotes around plain names. */
const sourceOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:")

/** The call of the client library, without its surroundings (DOCS-10). */
export const clientSample = (operation: Operation, { ids, name }: ClientCall): string => {
  const [contentType, media] = bodyOf(operation) ?? []
  const query = named(operation.parameters, "query").filter(({ required }) => required === true)
  const given = named(operation.parameters, "path")
    .slice(0, ids)
    .map(({ example }) => JSON.stringify(example))
  if (contentType === "application/json") given.push(sourceOf(media?.example))
  else if (contentType !== undefined) given.push(`await readFile("skill.tar.gz")`)
  else if (query.length > 0)
    given.push(sourceOf(Object.fromEntries(query.map(({ example, name: of }) => [of, example]))))
  const isStream = operation.responses["200"]?.content?.["text/event-stream"] !== undefined
  return isStream
    ? `for await (const event of market.${name}()) console.log(event)`
    : `const result = await market.${name}(${given.join(", ")})`
}

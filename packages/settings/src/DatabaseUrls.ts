import { Redacted, Result } from "effect"
import { faultOfParameters } from "./faultOfParameters.ts"
import { faultOfUrl } from "./faultOfUrl.ts"

type Read<A> = (value: string) => Result.Result<A, string>

const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i

const isHost = (host: string): boolean => {
  if (!URL.canParse(`postgres://${host}/`)) return false
  const { hostname, port } = new URL(`postgres://${host}/`)
  return hostname !== "" && port !== "0"
}

/** A libpq URI, which may name several hosts (DATABASE-2, DATABASE-7). `rule` describes the targets. */
const postgresUrl =
  (targets: ReadonlyArray<string>, rule: string): Read<Redacted.Redacted> =>
  (value) => {
    const [, start = "", list = "", rest = ""] = form.exec(value) ?? []
    const hosts = list.split(",")
    const first = `${start}${hosts[0] ?? ""}${rest}`
    if (hosts.length > 1 && !hosts.every(isHost))
      return Result.fail("must separate hosts with commas, each a name or an address and a port, such as a:5432,b:5432")
    const fault = faultOfUrl(first === "" ? value : first, ["postgres:", "postgresql:"]) ?? faultOfParameters(value)
    if (fault !== undefined) return Result.fail(fault)
    const target = new URL(first).searchParams.get("target_session_attrs")
    return target === null || targets.includes(target) ? Result.succeed(Redacted.make(value)) : Result.fail(rule)
  }

export const databaseUrl = postgresUrl(
  ["primary", "read-write"],
  "must have target_session_attrs=read-write or primary, because the market writes"
)

export const readDatabaseUrl = postgresUrl(
  ["any"],
  "must have no target_session_attrs other than any, because each host may be used"
)

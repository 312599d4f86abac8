import { Redacted, Result } from "effect"

export interface Host {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

export interface DatabaseUrl {
  /** The URL with its first host only. The driver reads everything else from it. */
  readonly url: Redacted.Redacted
  /** The hosts among which the primary must be found: if there are several, or if the URL has `target_session_attrs`. */
  readonly hosts: ReadonlyArray<Host>
}

const form = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/i

const hostOf = (text: string): Host | undefined => {
  if (!URL.canParse(`postgres://${text}/`)) return undefined
  const { hostname, port } = new URL(`postgres://${text}/`)
  if (hostname === "" || port === "0") return undefined
  return {
    host: decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1")),
    port: port === "" ? 5432 : Number(port)
  }
}

/** The names of the hosts in a URL. */
const namesOf = (redacted: Redacted.Redacted): ReadonlyArray<string> =>
  (form.exec(Redacted.value(redacted))?.[3] ?? "").split(",")

/** The URL with its first host only, if its `target_session_attrs` is one of these. */
const singleUrl = (
  redacted: Redacted.Redacted,
  targets: ReadonlyArray<string>,
  rule: string
): Result.Result<Redacted.Redacted, string> => {
  const [, scheme = "", login = "", , rest = ""] = form.exec(Redacted.value(redacted)) ?? []
  const single = `${scheme}${login}${namesOf(redacted)[0] ?? ""}${rest}`
  if (scheme === "" || !URL.canParse(single))
    return Result.fail("must be a URL that starts with postgres:// or postgresql://")
  const target = new URL(single).searchParams.get("target_session_attrs")
  return target === null || targets.includes(target) ? Result.succeed(Redacted.make(single)) : Result.fail(rule)
}

const hostsOf = (names: ReadonlyArray<string>): Result.Result<ReadonlyArray<Host>, string> => {
  const hosts = names.map(hostOf).filter((host) => host !== undefined)
  return hosts.length === names.length
    ? Result.succeed(hosts)
    : Result.fail("must separate hosts with commas, each a name or an address and a port, such as a:5432,b:5432")
}

/** A single host is left to the driver, unless its role must be checked. */
const isLeftToDriver = (names: ReadonlyArray<string>, url: Redacted.Redacted): boolean =>
  names.length === 1 && (names[0] === "" || !new URL(Redacted.value(url)).searchParams.has("target_session_attrs"))

/**
 * Reads a libpq URI, which may name several hosts: `postgres://user:password@a:5432,b:5432/market`. Of several hosts, or of one with `target_session_attrs`,
 * only one that accepts writes is used, as with `target_session_attrs=read-write` (DATABASE-2). Fails with the rule that the URL breaks, without the URL.
 */
export const parseDatabaseUrl = (redacted: Redacted.Redacted): Result.Result<DatabaseUrl, string> => {
  const rule = "must have target_session_attrs=read-write or primary, because the market writes"
  const names = namesOf(redacted)
  return Result.flatMap(singleUrl(redacted, ["primary", "read-write"], rule), (url) =>
    Result.map(isLeftToDriver(names, url) ? Result.succeed([]) : hostsOf(names), (hosts) => ({ url, hosts }))
  )
}

/** Reads the URL of replicas: each of its hosts is one (DATABASE-7). Fails with the rule that the URL breaks, without the URL. */
export const parseReadUrl = (redacted: Redacted.Redacted): Result.Result<DatabaseUrl, string> => {
  const rule = "must have no target_session_attrs other than any, because each host may be used"
  return Result.flatMap(singleUrl(redacted, ["any"], rule), (url) =>
    Result.map(hostsOf(namesOf(redacted)), (hosts) => ({ url, hosts }))
  )
}

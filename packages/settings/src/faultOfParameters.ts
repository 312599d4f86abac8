import { accessSync, constants } from "node:fs"

type Check = (value: string) => string | undefined

const oneOf =
  (...values: ReadonlyArray<string>): Check =>
  (value) =>
    values.includes(value) ? undefined : `must be one of ${values.join(", ")}`

const wholeNumber: Check = (value) => (/^-?\d{1,9}$/.test(value) ? undefined : "must be a whole number")

const port: Check = (value) =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
    ? undefined
    : "must be a number from 1 to 65535"

const readable: Check = (value) => {
  try {
    accessSync(value, constants.R_OK)
    return undefined
  } catch {
    return "must be the path of a file that can be read"
  }
}

/** The values that would otherwise be found wrong only when the process connects. */
const checks: ReadonlyMap<string, Check> = new Map([
  ["sslmode", oneOf("disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify")],
  ["connect_timeout", wholeNumber],
  ["port", port],
  ["sslcert", readable],
  ["sslkey", readable],
  ["sslrootcert", readable]
])

/** The parameters of libpq, and those that only the driver has. */
const known: ReadonlySet<string> = new Set(
  `host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout client_encoding options
  application_name fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout
  replication gssencmode sslmode requiressl sslnegotiation sslcompression sslcert sslkey sslkeylogfile sslpassword sslcertmode
  sslrootcert sslcrl sslcrldir sslsni requirepeer ssl_min_protocol_version ssl_max_protocol_version min_protocol_version
  max_protocol_version krbsrvname gsslib gssdelegation scram_client_key scram_server_key service servicefile
  target_session_attrs load_balance_hosts oauth_issuer oauth_client_id oauth_client_secret oauth_scope
  ssl encoding uselibpqcompat statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout`.split(
    /\s+/
  )
)

/** What is wrong with the parameters of a libpq URI (CONFIG-30); undefined if nothing is. Names of parameters are repeated, values are not. */
export const faultOfParameters = (value: string): string | undefined => {
  const query = value.split("?").slice(1).join("?")
  for (const parameter of query.split("&").filter((each) => each !== "")) {
    const [name = "", ...rest] = parameter.split("=")
    // Anything else may be a part of a password.
    const shown = /^[a-z_]{1,40}$/i.test(name) ? ` ${name}` : ""
    if (!known.has(name)) return `must not have the parameter${shown}, which libpq does not know: remove it`
    let text: string
    try {
      text = decodeURIComponent(rest.join("="))
    } catch {
      return `must write % in the parameter ${name} as %25`
    }
    const fault = checks.get(name)?.(text)
    if (fault !== undefined) return `has a wrong parameter ${name}: it ${fault}`
  }
  return undefined
}

import { availableParallelism } from "node:os"
import type { FixedRates } from "@agent-marketplace/core/money/ExchangeRates"
import { equalRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Redacted, Result } from "effect"
import { isIP } from "node:net"
import { join } from "node:path"
import { databaseUrl, readDatabaseUrl } from "./DatabaseUrls.ts"
import type { BlobsConfiguration } from "./BlobsConfiguration.ts"
import { blobsWithStorage, readBlobs } from "./BlobsConfiguration.ts"
import { faultOfUrl } from "./faultOfUrl.ts"
import { readExportHeaders } from "./readExportHeaders.ts"
import type { NotificationsConfiguration } from "./NotificationsConfiguration.ts"
import { noNotifications, readNotifications } from "./NotificationsConfiguration.ts"
import type { ScreeningConfiguration } from "./ScreeningConfiguration.ts"
import { noScreening, readScreening } from "./ScreeningConfiguration.ts"
import type { SigningSeed } from "./SigningSeed.ts"
import { parseSigningSeed, signingSeedRule } from "./SigningSeed.ts"
import type { TronConfiguration } from "./TronConfiguration.ts"
import { checkTron, readTron } from "./TronConfiguration.ts"

/** The validated configuration from the environment (CONFIG-1). Secrets stay `Redacted` from here to their use. */
export interface Configuration {
  readonly port: number
  readonly host: string
  /** Undefined: `http://localhost` with the port of the server (CONFIG-2). */
  readonly baseUrl: string | undefined
  /** The origins whose pages may read responses. */
  readonly corsOrigins: "*" | "none" | ReadonlyArray<string>
  /** Undefined: an embedded PostgreSQL in `dataDir` (CONFIG-3). */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** The replicas that serve reads (CONFIG-14). */
  readonly readDatabaseUrl: Redacted.Redacted | undefined
  readonly dataDir: string
  /** Accepts a data folder of another origin (CONFIG-24). */
  readonly adoptData: boolean
  /** Memory loses everything with the process (CONFIG-4). */
  readonly storage: "postgres" | "memory" | "sqlite"
  /** The file of `STORAGE=sqlite` (CONFIG-28). */
  readonly sqliteFile: string
  /** Undefined: made once and kept in `dataDir` (CONFIG-5). */
  readonly adminToken: Redacted.Redacted | undefined
  readonly signup: "open" | "admin"
  /** Whether the server offers the demonstration shop: never with real money, in production or to other machines (CONFIG-27). */
  readonly demo: boolean
  readonly listingReview: "manual" | "auto"
  readonly rateLimits: "on" | "off"
  readonly redisUrl: Redacted.Redacted | undefined
  readonly platformFeeBps: number
  /** How many USDT prices in other currencies are worth (MONEY-7). */
  readonly exchangeRates: FixedRates
  /** `auto` follows the cost of the network. */
  readonly withdrawalFee: Usdt | "auto"
  /** What one TRX is worth; null where it is not known. */
  readonly trxRate: Usdt | null
  readonly withdrawalMinimum: Usdt
  /** A larger withdrawal waits for the operator; null: none does. */
  readonly withdrawalReviewAbove: Usdt | null
  /** For how many days proceeds are locked; 0 does not lock them. */
  readonly proceedsHoldDays: number
  /** The maximum that a seller may owe for refunds that the platform covers. */
  readonly refundCoverLimit: Usdt
  /** By default `licensed` where money is real (CONFIG-10). */
  readonly soulContent: "open" | "licensed"
  /** Whether the server process also runs the worker (CONFIG-11). */
  readonly worker: "embedded" | "external"
  /** Never with the real chain (CONFIG-12). */
  readonly testClock: boolean
  /** Whether applications may register themselves with OAuth. */
  readonly oauthDynamicRegistration: boolean
  /** Undefined: the simulated chain (CHAIN-1). */
  readonly tron: TronConfiguration | undefined
  /** An operator's command screens nothing. */
  readonly screening: ScreeningConfiguration
  /** Where the bytes of releases are kept. An operator's command reads none. */
  readonly blobs: BlobsConfiguration
  /** How people are notified. An operator's command notifies nobody. */
  readonly notifications: NotificationsConfiguration
  /** Whether webhooks may go to plain HTTP and to private addresses. */
  readonly webhookAllowPrivate: boolean
  /** Undefined: derived from the operator's token. */
  readonly webhookSecretKey: Redacted.Redacted | undefined
  /** Undefined: derived, kept in `dataDir` or made at the start (CONFIG-16). */
  readonly signingKey: SigningSeed | undefined
  /** Where a worker answers `/metrics` and `/healthz`; undefined: nowhere. */
  readonly metricsPort: number | undefined
  readonly metricsToken: Redacted.Redacted | undefined
  /** Where traces, metrics and logs are exported to; undefined: nowhere (CONFIG-18). */
  readonly otlpEndpoint: string | undefined
  /** Headers of these exports; their values are credentials. */
  readonly otlpHeaders: Readonly<Record<string, Redacted.Redacted>>
  readonly trustedProxies: ReadonlyArray<string>
  /** How many server processes share the port (CONFIG-15). */
  readonly processes: number
  readonly logLevel: "Trace" | "Debug" | "Info" | "Warn" | "Error" | "Fatal" | "None"
  readonly logFormat: "pretty" | "json"
  readonly production: boolean
}

/** A variable's value, or what is wrong with it. The text of a secret never becomes part of a message. */
type Read<A> = (value: string) => Result.Result<A, string>

const oneOf =
  <const A extends string>(...values: ReadonlyArray<A>): Read<A> =>
  (value) => {
    const known = values.find((candidate) => candidate === value)
    return known === undefined ? Result.fail(`must be one of ${values.join(", ")}`) : Result.succeed(known)
  }

const integer =
  (min: number, max: number): Read<number> =>
  (value) => {
    const number = Number(value)
    return /^\d{1,15}$/.test(value) && number >= min && number <= max
      ? Result.succeed(number)
      : Result.fail(`must be a whole number from ${min} to ${max}`)
  }

const url =
  (...protocols: ReadonlyArray<string>): Read<string> =>
  (value) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol)
      ? Result.succeed(value.replace(/\/+$/, ""))
      : Result.fail(`must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`)

/** The URL becomes part of public URLs, so it must not contain credentials. */
const publicUrl: Read<string> = (value) =>
  Result.flatMap(url("http:", "https:")(value), (address) => {
    const { password, username } = new URL(address)
    if (username + password !== "") return Result.fail("must have no user name and no password")
    return /[?#]/.test(address) ? Result.fail("must have no query and no fragment") : Result.succeed(address)
  })

const secretUrl =
  (...protocols: ReadonlyArray<string>): Read<Redacted.Redacted> =>
  (value) => {
    const fault = faultOfUrl(value, protocols)
    return fault === undefined ? Result.succeed(Redacted.make(value)) : Result.fail(fault)
  }

const secret =
  (minLength: number): Read<Redacted.Redacted> =>
  (value) =>
    value.length >= minLength
      ? Result.succeed(Redacted.make(value))
      : Result.fail(`must have at least ${minLength} characters`)

/** A secret that clients send in a header. */
const token =
  (minLength: number): Read<Redacted.Redacted> =>
  (value) =>
    /^[\x20-\x7e]*$/.test(value)
      ? secret(minLength)(value)
      : Result.fail(
          "must consist of letters, digits and other visible characters of ASCII, because it is sent in a header"
        )

/** The connections of more processes would exceed those of the embedded database. */
const mostOnEmbedded = 6

const processes =
  (env: Readonly<Record<string, string | undefined>>): Read<number> =>
  (value) => {
    const most = (env["DATABASE_URL"] ?? "").trim() === "" ? mostOnEmbedded : 64
    return value === "auto"
      ? Result.succeed(Math.min(availableParallelism(), most))
      : Result.mapError(integer(1, most)(value), (rule) => `${rule}, or auto`)
  }

const signingKey: Read<SigningSeed> = (value) => {
  const seed = parseSigningSeed(value)
  return seed === undefined ? Result.fail(signingSeedRule) : Result.succeed(seed)
}

const text: Read<string> = (value) =>
  value.includes("\0") || value.length > 4096 ? Result.fail("must be at most 4096 characters") : Result.succeed(value)

const path: Read<string> = (value) =>
  value.endsWith("/") ? Result.fail("must be the path of a file, not of a folder") : text(value)

const host: Read<string> = (value) =>
  /^[\w.:-]+$/.test(value) && URL.canParse(`http://${value.includes(":") ? `[${value}]` : value}`)
    ? Result.succeed(value)
    : Result.fail("must be an IP address or the name of a host")

/** So large that it can only be a mistake, and small enough that no price overflows what a database can hold. */
const largestRate = 1_000_000_000n

const rate: Read<Usdt> = (value) => {
  const parsed = Usdt.parse(value)
  return Result.isSuccess(parsed) && parsed.success > 0n && parsed.success <= largestRate
    ? parsed
    : Result.fail("must be a number above 0 and at most 1000, with at most 6 decimals")
}

const fee: Read<Usdt | "auto"> = (value) =>
  value === "auto"
    ? Result.succeed(value)
    : Result.mapError(Usdt.parse(value), (rule) => `must be auto or an amount: it ${rule}`)

const boolean: Read<boolean> = (value) =>
  value === "true" || value === "1"
    ? Result.succeed(true)
    : value === "false" || value === "0"
      ? Result.succeed(false)
      : Result.fail("must be true or false")

const isLoopback = (name: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(name)

interface DemoConditions extends Pick<
  Configuration,
  "baseUrl" | "databaseUrl" | "host" | "processes" | "production" | "signup" | "worker"
> {
  readonly chain: "simulated" | "tron"
}

/** Why `DEMO=true` is refused; undefined where it is allowed (CONFIG-27). */
const demoFault = ({ baseUrl, chain, host, processes, production, worker }: DemoConditions): string | undefined => {
  if (chain === "tron") return "DEMO must not be true with CHAIN=tron: the demonstration pays with simulated money"
  if (production) return "DEMO must not be true in production"
  if (worker === "external") return "DEMO must not be true with WORKER=external: this process makes the demonstration"
  if (processes > 1)
    return "DEMO must not be true with PROCESSES above 1: only the process that printed the link knows it"
  return isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname))
    ? undefined
    : "DEMO must not be true with a HOST or BASE_URL that other machines reach"
}

/** Without `DEMO`, only a market of its own, in a database that the server made, offers the demonstration (CONFIG-27). */
const demoByDefault = (conditions: DemoConditions): boolean =>
  conditions.databaseUrl === undefined && conditions.signup === "open" && demoFault(conditions) === undefined

const addresses: Read<ReadonlyArray<string>> = (value) => {
  const all = value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  return all.every((address) => isIP(address) !== 0)
    ? Result.succeed(all)
    : Result.fail("must be IP addresses, separated by commas")
}

const isOrigin = (text: string): boolean => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text

/** `*`, `none`, or origins such as `https://shop.example` (CORS-2). */
const corsOrigins: Read<Configuration["corsOrigins"]> = (value) => {
  if (value === "*" || value === "none") return Result.succeed(value)
  const all = value.split(",").map((part) => part.trim().replace(/\/$/, ""))
  return all.every(isOrigin)
    ? Result.succeed(all)
    : Result.fail("must be *, none, or origins such as https://shop.example, separated by commas")
}

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const level: Read<Configuration["logLevel"]> = (value) => {
  const known = Object.entries(levels).find(([name]) => name === value.toLowerCase())
  return known === undefined
    ? Result.fail(`must be one of ${Object.keys(levels).join(", ")}`)
    : Result.succeed(known[1])
}

/** The faults of a configuration, one sentence for each variable. */
export class ConfigurationFaults {
  readonly faults: ReadonlyArray<string>
  constructor(faults: ReadonlyArray<string>) {
    this.faults = faults
  }
}

/** The kind of process. An operator's command needs a worker's variables and the public key of the deposit addresses. */
export type Reader = "server" | "worker" | "operator"

/**
 * Reads and checks every variable and reports all faults together. An empty variable counts as absent. A worker and an operator's command work
 * on a shared database, so DATABASE_URL is required for them.
 */
export const readConfiguration = (
  env: Readonly<Record<string, string | undefined>>,
  reader: Reader = "server"
): Result.Result<Configuration, ConfigurationFaults> => {
  const faults: Array<string> = []
  const optional = <A>(name: string, read: Read<A>): A | undefined => {
    const value = env[name]?.trim()
    if (value === undefined || value === "") return undefined
    const result = read(value)
    if (Result.isSuccess(result)) return result.success
    faults.push(`${name} ${result.failure}`)
    return undefined
  }
  const withDefault = <A>(name: string, read: Read<A>, otherwise: A): A => optional(name, read) ?? otherwise
  const production = env["NODE_ENV"] === "production"
  const worker = withDefault("WORKER", oneOf("embedded", "external"), "embedded")
  const chain = withDefault("CHAIN", oneOf("simulated", "tron"), "simulated")

  const uses = { gives: reader !== "worker", pays: reader !== "server" || worker === "embedded" }
  const tron =
    chain === "tron" ? readTron(optional, (sentence) => faults.push(sentence), uses) : checkTron(optional, uses)

  const read: Omit<Configuration, "demo"> = {
    port: withDefault("PORT", integer(0, 65535), 3000),
    host: withDefault("HOST", host, "127.0.0.1"),
    baseUrl: optional("BASE_URL", publicUrl),
    corsOrigins: withDefault("CORS_ORIGINS", corsOrigins, "*"),
    databaseUrl: optional("DATABASE_URL", databaseUrl),
    readDatabaseUrl: reader === "server" ? optional("READ_DATABASE_URL", readDatabaseUrl) : undefined,
    dataDir: withDefault("DATA_DIR", text, "./data"),
    adoptData: withDefault("DATA_DIR_ADOPT", boolean, false),
    storage: withDefault("STORAGE", oneOf("postgres", "memory", "sqlite"), "postgres"),
    sqliteFile: optional("SQLITE_FILE", path) ?? join(withDefault("DATA_DIR", text, "./data"), "market.sqlite"),
    adminToken: optional("ADMIN_TOKEN", token(32)),
    signup: withDefault("SIGNUP", oneOf("open", "admin"), "open"),
    listingReview: withDefault("LISTING_REVIEW", oneOf("manual", "auto"), "manual"),
    rateLimits: withDefault("RATE_LIMITS", oneOf("on", "off"), "on"),
    redisUrl: optional("REDIS_URL", secretUrl("redis:", "rediss:")),
    platformFeeBps: withDefault("PLATFORM_FEE_BPS", integer(0, 10_000), 500),
    exchangeRates: {
      USD: withDefault("RATE_USD_USDT", rate, equalRates.USD),
      USDC: withDefault("RATE_USDC_USDT", rate, equalRates.USDC)
    },
    withdrawalFee: withDefault<Usdt | "auto">("WITHDRAWAL_FEE", fee, Usdt.of(1_000_000n)),
    // On the simulated chain nothing is paid: any rate will do.
    trxRate: optional("TRX_USDT_RATE", rate) ?? (chain === "tron" ? null : Usdt.of(300_000n)),
    withdrawalMinimum: withDefault("WITHDRAWAL_MINIMUM", Usdt.parse, Usdt.of(5_000_000n)),
    withdrawalReviewAbove: optional("WITHDRAWAL_REVIEW_ABOVE", Usdt.parse) ?? null,
    proceedsHoldDays: withDefault("PROCEEDS_HOLD_DAYS", integer(0, 365), 7),
    refundCoverLimit: withDefault("REFUND_COVER_LIMIT", Usdt.parse, Usdt.of(1_000_000_000n)),
    soulContent: withDefault("SOUL_CONTENT", oneOf("open", "licensed"), chain === "tron" ? "licensed" : "open"),
    worker,
    testClock: withDefault("TEST_CLOCK", boolean, false),
    // CONFIG-17
    oauthDynamicRegistration: withDefault("OAUTH_DYNAMIC_REGISTRATION", boolean, false),
    tron,
    screening: reader === "operator" ? noScreening : readScreening(optional, (sentence) => faults.push(sentence)),
    blobs: reader === "operator" ? blobsWithStorage : readBlobs(optional, (sentence) => faults.push(sentence)),
    notifications:
      reader === "operator" ? noNotifications : readNotifications(optional, (sentence) => faults.push(sentence)),
    webhookAllowPrivate: withDefault("WEBHOOK_ALLOW_PRIVATE", boolean, false),
    webhookSecretKey: optional("WEBHOOK_SECRET_KEY", secret(32)),
    signingKey: optional("MARKET_SIGNING_KEY", signingKey),
    metricsPort: optional("METRICS_PORT", integer(0, 65535)),
    metricsToken: optional("METRICS_TOKEN", token(1)),
    otlpEndpoint: optional("OTEL_EXPORTER_OTLP_ENDPOINT", url("http:", "https:")),
    otlpHeaders: withDefault("OTEL_EXPORTER_OTLP_HEADERS", readExportHeaders, {}),
    trustedProxies: withDefault("TRUSTED_PROXIES", addresses, []),
    processes: withDefault("PROCESSES", processes(env), 1),
    logLevel: withDefault("LOG_LEVEL", level, "Info"),
    logFormat: withDefault("LOG_FORMAT", oneOf("pretty", "json"), production ? "json" : "pretty"),
    production
  }
  const conditions = { ...read, chain }
  const demo = reader === "server" && withDefault("DEMO", boolean, demoByDefault(conditions))
  const configuration: Configuration = { ...read, demo }
  const refused = demo ? demoFault(conditions) : undefined
  if (refused !== undefined) faults.push(refused)
  if (reader !== "server" && !faults.some((fault) => fault.startsWith("DATABASE_URL"))) {
    const who = reader === "worker" ? "a worker" : "an operator's command"
    const { databaseUrl, storage } = configuration
    const own =
      reader === "worker"
        ? `with STORAGE=${storage} the server runs the jobs itself, so start no worker`
        : `only the server sees the data of STORAGE=${storage}`
    if (storage !== "postgres") faults.push(`STORAGE must be postgres for ${who}: ${own}`)
    if (databaseUrl === undefined) faults.push(`DATABASE_URL must be set for ${who}`)
  }
  if (
    configuration.readDatabaseUrl !== undefined &&
    (configuration.storage !== "postgres" || configuration.databaseUrl === undefined)
  )
    faults.push("READ_DATABASE_URL must be set only with DATABASE_URL, whose replicas it names, and STORAGE=postgres")
  if (configuration.storage !== "postgres") {
    const alone = `with STORAGE=${configuration.storage}: no other process can see its data`
    if (reader === "server" && worker === "external") faults.push(`WORKER must be embedded ${alone}`)
    if (configuration.processes > 1) faults.push(`PROCESSES must be 1 ${alone}`)
  }
  if (configuration.storage !== "sqlite" && (env["SQLITE_FILE"] ?? "").trim() !== "")
    faults.push("STORAGE must be sqlite with SQLITE_FILE")
  if (configuration.storage === "sqlite" && configuration.databaseUrl !== undefined && reader === "server")
    faults.push("DATABASE_URL must not be set with STORAGE=sqlite: the market uses one of them")
  if (configuration.storage === "memory" && configuration.blobs._tag !== "Storage")
    faults.push("BLOBS must not be folder or s3 with STORAGE=memory: nothing would refer to the bytes after a restart")
  if (configuration.withdrawalFee === "auto" && configuration.trxRate === null)
    faults.push("TRX_USDT_RATE must be set with WITHDRAWAL_FEE=auto")
  if (chain === "tron" && configuration.testClock) faults.push("TEST_CLOCK must not be set with CHAIN=tron")
  if (chain === "tron" && configuration.storage === "memory" && reader === "server")
    faults.push("STORAGE must be postgres or sqlite with CHAIN=tron: money must outlive the process")
  if (
    production &&
    reader !== "operator" &&
    configuration.adminToken === undefined &&
    !faults.some((fault) => fault.startsWith("ADMIN_TOKEN"))
  ) {
    faults.push("ADMIN_TOKEN must be set in production (at least 32 characters)")
  }
  return faults.length === 0 ? Result.succeed(configuration) : Result.fail(new ConfigurationFaults(faults))
}

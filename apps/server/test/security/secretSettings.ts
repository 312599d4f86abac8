import { createECDH, randomBytes } from "node:crypto"

const word = (name: string): string => `canary-${name}-${randomBytes(16).toString("hex")}`

const hotWalletKey = randomBytes(32).toString("hex")

/** A signing key: 32 random bytes. */
const seed = randomBytes(32).toString("base64")

const vapidKey = (): string => {
  const pair = createECDH("prime256v1")
  pair.generateKeys()
  return pair.getPrivateKey("base64url").padStart(43, "A")
}

/**
 * The variables that contain a secret, with a recognisable secret for each. The value of a variable that contains a URL is its password, and that of a path is
 * the content of the file.
 */
export const secretSettings = {
  ADMIN_TOKEN: word("admin-token"),
  DATABASE_URL: word("database"),
  READ_DATABASE_URL: word("read-database"),
  METRICS_TOKEN: word("metrics"),
  OTEL_EXPORTER_OTLP_HEADERS: word("collector"),
  WEBHOOK_SECRET_KEY: word("webhook-secret-key"),
  MARKET_SIGNING_KEY: seed,
  SMTP_URL: word("smtp"),
  VAPID_PRIVATE_KEY: vapidKey(),
  REDIS_URL: word("redis"),
  S3_SECRET_ACCESS_KEY: word("s3"),
  SCREENING_TOKEN: word("screening"),
  TRON_API_KEY: word("tron-api"),
  TRON_HOT_WALLET_KEY: hotWalletKey,
  // Files, made by the test that starts a process with them.
  TRON_SIGNER_KEY: "",
  TRON_SECOND_SIGNER_KEY: ""
} as const

/** Every other variable that the settings read. Add a new variable here only if its value may be in a log. */
export const publicSettings = `
  BASE_URL BLOBS BLOB_FOLDER CHAIN CORS_ORIGINS DATA_DIR DATA_DIR_ADOPT DEMO HOST LISTING_REVIEW LOG_FORMAT LOG_LEVEL METRICS_PORT NODE_ENV
  OAUTH_DYNAMIC_REGISTRATION OTEL_EXPORTER_OTLP_ENDPOINT PLATFORM_FEE_BPS PORT PROCEEDS_HOLD_DAYS PROCESSES RATE_LIMITS RATE_USDC_USDT RATE_USD_USDT
  REFUND_COVER_LIMIT S3_ACCESS_KEY_ID S3_BUCKET S3_ENDPOINT S3_PREFIX S3_REGION SCREENING_CA SCREENING_DENY_LISTS SCREENING_URL SIGNUP SMTP_FROM
  SOUL_CONTENT SQLITE_FILE STORAGE TEST_CLOCK TRON_DEPOSIT_XPUB TRON_FULL_NODE_URL TRON_HOT_WALLET_ADDRESS TRON_KMS_ENDPOINT TRON_KMS_KEY_ID TRON_KMS_REGION
  TRON_PERMISSION_ID TRON_QUORUM TRON_SECOND_SIGNER_ADDRESS TRON_SECOND_SIGNER_CA TRON_SECOND_SIGNER_CERT TRON_SECOND_SIGNER_URL TRON_SIGNER_ADDRESS
  TRON_SIGNER_CA TRON_SIGNER_CERT TRON_SIGNER_URL TRON_SOLIDITY_NODE_URL TRON_START_BLOCK TRON_TRANSACTION_MINUTES TRON_USDT_CONTRACT TRUSTED_PROXIES
  TRX_USDT_RATE VAPID_SUBJECT WEBHOOK_ALLOW_PRIVATE WITHDRAWAL_FEE WITHDRAWAL_MINIMUM WITHDRAWAL_REVIEW_ABOVE WORKER`
  .trim()
  .split(/\s+/)

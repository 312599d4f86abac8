import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import { SigningKeyRetired } from "@agent-marketplace/core/signing/MarketKeys"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { DataFolderRefused } from "@agent-marketplace/settings/DataFolder"
import { randomUUID } from "node:crypto"

/** A failure of the core as the error of the HTTP API. */
export const failureOf = (error: Failure): MarketplaceError => {
  const requestId = randomUUID()
  const { body, status } = toWire(error, requestId)
  return new MarketplaceError({ ...body.error, statusCode: status, response: body, requestId, cause: error })
}

const isAway = (cause: unknown): cause is StoreUnavailable => cause instanceof StoreUnavailable

const startSentence = (cause: unknown): string => {
  if (isAway(cause) && cause.cause instanceof UnsuitableStore)
    return cause.cause.message.replace("SQLITE_FILE", "sqliteStorage: file")
  if (isAway(cause)) return "the storage cannot be reached or refuses the login: check its url"
  // SIGN-6
  if (cause instanceof SigningKeyRetired) return cause.message.replace("MARKET_SIGNING_KEY", "signingKey")
  if (cause instanceof DataFolderRefused) return cause.message.replace("BLOB_FOLDER", "folderBlobs: path")
  return "the market did not start"
}

/** Why a market did not start, without the storage's address and password. */
export const startFailure = (cause: unknown): MarketplaceError =>
  new MarketplaceError({
    message: `createMarketplace: ${startSentence(cause)}`,
    code: "INTERNAL_ERROR",
    statusCode: 503,
    cause
  })

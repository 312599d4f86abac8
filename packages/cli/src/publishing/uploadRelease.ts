import type { Release } from "@agent-marketplace/client/wire/Endpoints"
import { Duration, Effect } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import type { PackedRelease } from "./packRelease.ts"

/** How long `--wait` waits for a verdict. */
const longestWait = Duration.minutes(5)

const notUploaded = (listing: string, folder: string) => (failure: CommandFailure) =>
  new CommandFailure({
    ...failure,
    message: `the listing ${listing} is there, but the release was not uploaded: ${failure.message}`,
    hint: `Correct it, then \`agent-marketplace publish ${folder} --listing ${listing}\`.`
  })

const pending = (listing: string, version: string) =>
  new CommandFailure({
    code: "VERDICT_PENDING",
    message: `the market has no verdict on ${version} yet`,
    hint: `\`agent-marketplace releases show ${listing} ${version}\` shows it.`,
    exitCode: exitCodes.failure
  })

const scanned = (listing: string, version: string) =>
  Effect.gen(function* () {
    for (let pause = 250; ; pause = Math.min(2000, pause * 2)) {
      const release = yield* callMarket((market, options) => market.releases.get(listing, version, options))
      if (release.status !== "scanning") return release
      yield* Effect.sleep(pause)
    }
  }).pipe(Effect.timeoutOrElse({ duration: longestWait, orElse: () => Effect.fail(pending(listing, version)) }))

/** Uploads a packed release (CLI-20); with `wait` it returns once the market has a verdict. */
export const uploadRelease = (listing: string, { archive, folder, version }: PackedRelease, wait: boolean) =>
  Effect.gen(function* () {
    const uploaded: Release = yield* callMarket((market, options) =>
      market.releases.upload(listing, archive, version, options)
    ).pipe(Effect.mapError(notUploaded(listing, folder)))
    return wait ? yield* scanned(listing, version) : uploaded
  })

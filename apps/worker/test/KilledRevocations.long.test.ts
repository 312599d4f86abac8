import { killedRevocationSuite } from "./fixtures/killedRevocationSuite.ts"

/** `REVOCATION_BUYERS` overrides it. */
killedRevocationSuite(Number(process.env["REVOCATION_BUYERS"] ?? 10_000), 20)

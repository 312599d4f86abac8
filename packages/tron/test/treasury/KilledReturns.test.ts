import { killedReturnsSuite } from "../fixtures/killedReturnsSuite.ts"

/** `KILL_EVERY=1` kills at each step. */
killedReturnsSuite(Number(process.env["KILL_EVERY"] ?? 83))

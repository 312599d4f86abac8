import { killedSweepsSuite } from "../fixtures/killedSweepsSuite.ts"

/** `KILL_EVERY=1` kills at each step. */
killedSweepsSuite(Number(process.env["KILL_EVERY"] ?? 27))

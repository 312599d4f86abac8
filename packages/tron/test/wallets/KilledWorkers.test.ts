import { killedWorkersSuite } from "../fixtures/killedWorkersSuite.ts"

/** `KILL_EVERY=1` kills at each step. */
killedWorkersSuite(Number(process.env["KILL_EVERY"] ?? 130))

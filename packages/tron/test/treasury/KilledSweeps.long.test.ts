import { killedSweepsSuite } from "../fixtures/killedSweepsSuite.ts"

killedSweepsSuite(5)

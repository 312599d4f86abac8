import { killedWorkersSuite } from "../fixtures/killedWorkersSuite.ts"

killedWorkersSuite(20)

import { killedReturnsSuite } from "../fixtures/killedReturnsSuite.ts"

killedReturnsSuite(7)

import { killedRevocationSuite } from "./fixtures/killedRevocationSuite.ts"

killedRevocationSuite(1200, 2)

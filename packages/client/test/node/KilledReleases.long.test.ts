import { killedReleasesSuite } from "./fixtures/killedReleasesSuite.ts"

killedReleasesSuite(1)

import { killedReleasesSuite } from "./fixtures/killedReleasesSuite.ts"

killedReleasesSuite()

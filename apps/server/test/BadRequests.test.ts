import { badRequestsSuite } from "./fixtures/badRequestsSuite.ts"

/** One request of 25; the long form sends all 6,500. */
badRequestsSuite(25)

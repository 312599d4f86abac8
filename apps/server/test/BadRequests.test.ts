import { badRequestsSuite } from "./fixtures/badRequestsSuite.ts"

/** 1,300 of 6,500 requests. The long form sends all. */
badRequestsSuite(5)

import { badRequestsSuite } from "./fixtures/badRequestsSuite.ts"

badRequestsSuite(1)

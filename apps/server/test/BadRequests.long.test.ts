import { badRequestsSuite } from "./fixtures/badRequestsSuite.ts"

badRequestsSuite()

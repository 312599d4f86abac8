import { installsSuite } from "./fixtures/installsSuite.ts"

installsSuite(8)

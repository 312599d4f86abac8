import { installsSuite } from "./fixtures/installsSuite.ts"

installsSuite()

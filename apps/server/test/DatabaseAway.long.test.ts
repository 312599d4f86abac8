import { databaseAwaySuite } from "./fixtures/databaseAwaySuite.ts"

databaseAwaySuite()

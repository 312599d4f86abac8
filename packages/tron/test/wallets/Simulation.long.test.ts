import { simulationSuite } from "../fixtures/simulationSuite.ts"

simulationSuite(1000)

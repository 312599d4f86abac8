import { simulationSuite } from "../fixtures/simulationSuite.ts"

simulationSuite(Number(process.env["SIMULATED_WITHDRAWALS"] ?? 100))

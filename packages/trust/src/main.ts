#!/usr/bin/env node
import { runScan } from "./runScan.ts"

const { code, output, error } = await runScan(process.argv.slice(2))
process.stdout.write(output)
process.stderr.write(error)
process.exitCode = code

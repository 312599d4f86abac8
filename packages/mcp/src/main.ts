#!/usr/bin/env node
import * as module from "node:module"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major > 22 || (major === 22 && minor >= 19)) {
  // A host waits for this process with its user: compiling is kept for the next start.
  module.enableCompileCache()
  await import("./run.ts")
} else {
  process.stderr.write(`The MCP server cannot start: it needs Node 22.19 or later, and this is ${process.version}\n`)
  process.exitCode = 78
}

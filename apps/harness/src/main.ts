#!/usr/bin/env node
import * as module from "node:module"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major > 22 || (major === 22 && minor >= 19)) {
  // Compiling takes longer than all else that a start does: it is kept for the next one.
  module.enableCompileCache()
  await import("./run.ts")
} else {
  process.stderr.write(`The harness cannot start: it needs Node 22.19 or later, and this is ${process.version}\n`)
  process.exitCode = 1
}

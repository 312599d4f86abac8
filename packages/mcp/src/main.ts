#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// A host waits for this process with its user: compiling is kept for the next start.
enableCompileCache()
await import("./run.ts")

#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// Compiling what a start loads takes longer than everything else that it does: it is kept for the next one.
enableCompileCache()
await import("./run.ts")

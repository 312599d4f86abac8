#!/usr/bin/env node
import { startProgram } from "@agent-marketplace/client/node/startProgram"

await startProgram("agent-marketplace-mcp", () => import("./run.ts"))

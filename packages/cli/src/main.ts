#!/usr/bin/env node
import { startProgram } from "@agent-marketplace/client/node/startProgram"

await startProgram("agent-marketplace", () => import("./run.ts"))

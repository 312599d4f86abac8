import { configureGlobal, interruptAfterTimeLimit } from "fast-check"

// A property that fails is shrunk to a smaller counterexample, which may never end for a long history.
configureGlobal({ plugins: [interruptAfterTimeLimit(120_000, { failOnInterrupt: true })] })

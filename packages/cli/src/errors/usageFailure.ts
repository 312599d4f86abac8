import { CommandFailure, exitCodes } from "./CommandFailure.ts"

/** A call that cannot be understood or must not be carried out as it stands. */
export const usageFailure = (message: string, hint?: string): CommandFailure =>
  new CommandFailure({ code: "USAGE", message, hint, exitCode: exitCodes.usage })

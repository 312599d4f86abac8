import { spawn } from "node:child_process"

/** Time limit for an example to start, and to end, in milliseconds. */
const patience = 60_000

export interface RunningExample {
  /** The first URL that it printed. */
  readonly url: string
  /** Stops it as a supervisor does; fails if it does not end, or ends with a code other than 0. */
  readonly stop: () => Promise<void>
}

const within = async <A>(work: Promise<A>, failure: () => string): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(failure())), patience)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const environment = (more: Readonly<Record<string, string>>) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  ...more
})

const begin = (file: string, more: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [file], { env: environment(more), stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (part: Buffer) => (stdout += String(part)))
  child.stderr.on("data", (part: Buffer) => (stderr += String(part)))
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return within(ended, () => `does not end after ${signal}`).finally(() => child.kill("SIGKILL"))
  }
  return { child, ended, end, said: () => ({ stdout, stderr }) }
}

/** Runs a program to its end and returns its output; fails if it ends with a code other than 0. */
export const printedBy = async (file: string): Promise<string> => {
  const { child, ended, said } = begin(file, {})
  const code = await within(ended, () => `does not end:\n${said().stdout}`).finally(() => child.kill("SIGKILL"))
  if (code !== 0) throw new Error(`ended with ${code}:\n${said().stdout}${said().stderr}`)
  return said().stdout
}

/** Starts a server on a free port and waits until it prints its URL. */
export const startExample = async (file: string): Promise<RunningExample> => {
  const { child, end, ended, said } = begin(file, { PORT: "0" })
  const found = new Promise<string>((resolve) => {
    child.stdout.on("data", () => {
      const url = /https?:\/\/\S+(?=\s)/.exec(said().stdout)?.[0]
      if (url !== undefined) resolve(url.replace(/\/$/, ""))
    })
  })
  const failed = ended.then((code) => {
    throw new Error(`ended with ${code}:\n${said().stdout}${said().stderr}`)
  })
  try {
    const url = await within(Promise.race([found, failed]), () => `prints no address:\n${said().stdout}`)
    return {
      url,
      stop: async () => {
        const code = await end("SIGTERM")
        if (code !== 0 && code !== "SIGTERM") throw new Error(`ended with ${code}:\n${said().stderr}`)
      }
    }
  } catch (error) {
    await end("SIGKILL")
    throw error
  }
}

import type { BuildOptions } from "esbuild"

/** How esbuild bundles a program or a package for Node, with the parts that several entries share in `parts`. */
export const nodeBundle = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  legalComments: "none",
  chunkNames: "parts/[name]-[hash]",
  // CommonJS packages load Node's modules with `require`, which ES modules do not have.
  banner: {
    js: 'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);'
  },
  // ES modules have no `__filename`, but `node -e` defines it globally, where it names no file.
  define: { __filename: "undefined" }
} as const satisfies BuildOptions

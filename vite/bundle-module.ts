/**
 * A module with all that it imports as the text of one script: for pages that are no part of the
 * site, and for what stands alone beside it.
 */
import { build } from 'vite'

interface Options {
  /** False keeps names, for what is read in a failure. */
  readonly minify?: boolean
  /** `iife`: a classic script, whose exports are under `name`. */
  readonly format?: 'es' | 'iife'
  readonly name?: string
  readonly define?: Readonly<Record<string, string>>
}

/** @throws Error where it does not become one file */
export async function bundleModule(
  entry: string,
  { minify = true, format = 'es', name, define = {} }: Options = {},
): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      ...(!minify && { minify }),
      // Not as a library, of which Vite leaves the spaces.
      rolldownOptions: {
        input: entry,
        checks: { bundlerTimings: false },
        preserveEntrySignatures: 'strict',
        output: { format, ...(name !== undefined && { name }) },
      },
    },
  })
  const files = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [chunk, ...others] = files.filter((one) => one.type === 'chunk')
  if (!chunk || others.length > 0) throw new Error(`${entry} does not become one file.`)
  return chunk.code
}

/** A module with all that it imports as the text of one script: for pages that are no part of the site. */
import { build } from 'vite'

/** Throws Error where Vite builds nothing of it. `minify`: false keeps names, for what is read in a failure. */
export async function bundleModule(entry: string, { minify = true } = {}): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      lib: { entry, formats: ['es'] },
      ...(!minify && { minify }),
    },
  })
  const outputs = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
  const chunk = outputs.find((one) => one.type === 'chunk')
  if (!chunk) throw new Error(`Vite built nothing of ${entry}.`)
  return chunk.code
}

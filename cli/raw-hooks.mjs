/** `import text from './file.wgsl?raw'` in Node, as Vite has it: for node:module's register(). */
import { readFile } from 'node:fs/promises'

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => Promise<object>} next
 */
export async function load(url, context, next) {
  if (!url.endsWith('?raw')) return await next(url, context)
  const text = await readFile(new URL(url), 'utf8')
  return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true }
}

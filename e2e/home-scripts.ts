/** What the home page of a built site loads before a press, and before the browser is idle. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const gzippedKb = (text: string | Buffer): number => gzipSync(text).length / 1000

/**
 * The entry's files, those that the page asks for itself, and what they import.
 * @param root of the built site
 * @returns the text of each, by its file
 */
export function homeScripts(root: string): ReadonlyMap<string, string> {
  const html = readFileSync(join(root, 'index.html'), 'utf8')
  const found = new Map<string, string>()
  const add = (file: string) => {
    if (found.has(file)) return
    const code = readFileSync(join(root, file), 'utf8')
    found.set(file, code)
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      add(`assets/${name}`)
  }
  const asked = [
    ...html.matchAll(/<(?:script[^>]* src|link rel="modulepreload"[^>]* href)="\.\/([^"]+)"/g),
  ].map(([, file = '']) => file)
  if (asked.length < 2) throw new Error('index.html names no files for the home page')
  asked.forEach(add)
  return found
}

export const homeScriptsKb = (root: string): number =>
  [...homeScripts(root).values()].reduce((sum, code) => sum + gzippedKb(code), 0)

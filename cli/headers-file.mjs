/** `_headers` as its hosts read it: a path, which may end in `*`, and under it, indented, headers; `! Name` takes back what an earlier rule set. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @typedef {Readonly<Record<string, string>>} Headers by name, lower case */
/** @typedef {(path: string) => Headers} HeadersOf of a file, by its path from the site's root on, with its slash */

/**
 * @param {string} text
 * @returns {HeadersOf}
 */
export function parseHeaders(text) {
  /** @type {{ path: string, lines: string[] }[]} */
  const rules = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const rule = rules.at(-1)
    if (!/^\s/.test(line)) rules.push({ path: line.trim(), lines: [] })
    else if (rule) rule.lines.push(line.trim())
    else throw new Error(`_headers: a header stands before any path: ${line.trim()}`)
  }
  return (path) => {
    /** @type {Map<string, string>} */
    const headers = new Map()
    for (const rule of rules) {
      const fits = rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
      if (!fits) continue
      for (const line of rule.lines) {
        const removed = /^!\s*(.+)$/.exec(line)?.[1]
        const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
        const key = name.toLowerCase()
        if (removed !== undefined) headers.delete(removed.toLowerCase())
        else if (key === '') throw new Error(`_headers: not a header: ${line}`)
        // Two rules for one header: hosts join the values.
        else headers.set(key, [headers.get(key), value].filter((each) => each !== undefined).join(', '))
      }
    }
    return Object.fromEntries(headers)
  }
}

/**
 * @param {string} root a built site
 * @returns {Promise<HeadersOf | null>} null where it has no such file
 */
export async function headersIn(root) {
  try {
    return parseHeaders(await readFile(join(root, '_headers'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

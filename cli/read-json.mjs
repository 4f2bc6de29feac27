import { readFile } from 'node:fs/promises'

/** JSON.parse, owning up to what it returns. */
const parseJson = /** @type {(text: string) => unknown} */ (JSON.parse)

/**
 * @param {string} path
 * @returns {Promise<unknown>} null where there is no such file, or no JSON in it
 */
export async function readJson(path) {
  try {
    return parseJson(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}

import { readFile } from 'node:fs/promises'

/**
 * @param {string} path
 * @returns {Promise<unknown>} null where there is no such file, or no JSON in it
 */
export async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}

/** Which file an address means: never one outside of the folder that is served. */
import { join, normalize, sep } from 'node:path'

/**
 * @param {string} path of the URL, decoded
 * @param {string} base
 * @param {string} root
 * @returns {string | null} a file inside the root
 */
export function fileFor(path, base, root) {
  if (!path.startsWith(base)) return null
  const inside = normalize(join(root, path.slice(base.length)))
  if (inside !== root && !inside.startsWith(root + sep)) return null
  return path.endsWith('/') ? join(inside, 'index.html') : inside
}

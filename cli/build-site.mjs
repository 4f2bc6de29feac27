/**
 * `dist/`, built when what it is made from has changed. A stamp of the sources' content stands in
 * dist/build.json; times are not looked at, since a checkout or a copy gives them anew.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readJson } from './read-json.mjs'
import { CommandError, ROOT, runNode, step } from './terminal.mjs'

const SOURCES = [
  'src',
  'shaders',
  'public',
  'vite',
  'cli/record-report.ts', // the page 'record' quotes it
  'index.html',
  'open.html',
  'perfetto.html',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
]
/**
 * A change in a test, or in what describes the code, needs no new site. Lessons are .md files too:
 * they are the site.
 */
const IRRELEVANT = /\.test\.tsx?$|(^|\/)testing\/|\/mend\/right\/|(^|\/)(README|CHANGELOG)\.md$/
export const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, 'build.json')

/**
 * @param {string} path relative to the root, with forward slashes
 * @returns {Promise<string[]>} files under it, or itself
 */
async function filesUnder(path) {
  const found = await stat(join(ROOT, path)).catch(() => null)
  if (!found?.isDirectory()) return found ? [path] : []
  const entries = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).replaceAll('\\', '/'))
}

/**
 * One hash over the content of these files and folders, whatever their times.
 * @param {readonly string[]} sources relative to the root
 * @internal
 */
export async function sourceHash(sources = SOURCES) {
  const hash = createHash('sha256')
  const files = (await Promise.all(sources.map(filesUnder))).flat().filter((path) => !IRRELEVANT.test(path))
  for (const path of files.sort())
    hash
      .update(`${path}\0`)
      .update(await readFile(join(ROOT, path)))
      .update('\0')
  return hash.digest('hex')
}

async function builtHash() {
  const stamp = /** @type {{ sources?: unknown } | null} */ (await readJson(STAMP))
  return stamp?.sources
}

export async function buildSite() {
  const sources = await sourceHash()
  const code = await step('Building the site into dist/', () =>
    runNode(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
      // Our configuration imports without extensions, as all of our code does.
      env: { VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' },
    }),
  )
  if (code !== 0) throw new CommandError('The site could not be built; the message stands above.')
  await writeFile(STAMP, `${JSON.stringify({ sources })}\n`)
}

export async function ensureSite() {
  if ((await builtHash()) !== (await sourceHash())) await buildSite()
}

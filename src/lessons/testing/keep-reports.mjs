/**
 * node src/lessons/testing/keep-reports.mjs FOLDER ADAPTER: the reports of the runs in FOLDER, as
 * `npm run lab -- record-lessons` writes them, become runs-ADAPTER.br beside this file, over which
 * tests play the lessons' words. Runs of that file whose lesson FOLDER has none of stay.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { register } from 'tsx/esm/api'

const [folder, adapter] = process.argv.slice(2)
if (folder === undefined || adapter === undefined) throw new Error('Say keep-reports.mjs FOLDER ADAPTER.')
register()
/** @type {unknown} */
const codec = await import(new URL('../../trace/codec.ts', import.meta.url).href)
const { decodeRun } = /** @type {typeof import('../../trace/codec')} */ (codec)
/** @type {Record<string, unknown>} */
const reports = {}
for (const file of (await readdir(folder, { recursive: true })).sort()) {
  const name = file.replace(/\.hdl\.gz$/, '').replaceAll('\\', '/')
  const bytes = name === file ? null : await readFile(join(folder, file))
  if (bytes === null) continue
  const decoded = await decodeRun(bytes)
  const report = decoded.ok ? decoded.value.report : null
  if (!report) throw new Error(`${file} holds no run of the lab.`)
  reports[name] = report
}
const path = join(import.meta.dirname, `runs-${adapter}.br`)
/** @param {string} name */
const lessonOf = (name) => name.split('/')[0]
const recorded = new Set(Object.keys(reports).map(lessonOf))
/** @type {unknown} */
const before = existsSync(path) ? JSON.parse(brotliDecompressSync(await readFile(path)).toString('utf8')) : {}
const kept = Object.entries(/** @type {object} */ (before)).filter(([name]) => !recorded.has(lessonOf(name)))
const all = Object.fromEntries([...kept, ...Object.entries(reports)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
const bytes = brotliCompressSync(JSON.stringify(all))
await writeFile(path, bytes)
const count = Object.keys(reports).length
// oxlint-disable-next-line no-console -- a command says what it did
console.log(`${count} runs, ${kept.length} kept, ${Math.round(bytes.length / 1000)} kB`)

/**
 * node cli/keep-reports.mjs FOLDER ADAPTER: the reports of the runs in FOLDER, as `npm run lab -- record-lessons` writes them, or as JSON, become
 * src/lessons/testing/runs-ADAPTER.br, over which tests play the lessons' words.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { register } from 'tsx/esm/api'

const [folder, adapter] = process.argv.slice(2)
if (folder === undefined || adapter === undefined) throw new Error('Say keep-reports.mjs FOLDER ADAPTER.')
register()
/** @type {unknown} */
const codec = await import(new URL('../src/trace/codec.ts', import.meta.url).href)
const { decodeRun } = /** @type {typeof import('../src/trace/codec')} */ (codec)
/** @type {Record<string, unknown>} */
const reports = {}
for (const file of (await readdir(folder, { recursive: true })).sort()) {
  const name = file.replace(/\.(hdl\.gz|json)$/, '').replaceAll('\\', '/')
  const bytes = name === file ? null : await readFile(join(folder, file))
  if (bytes === null) continue
  const decoded = file.endsWith('.json') ? null : await decodeRun(bytes)
  /** @type {unknown} */
  const report =
    decoded === null ? JSON.parse(bytes.toString('utf8')) : decoded.ok ? decoded.value.report : null
  if (!report) throw new Error(`${file} holds no run of the lab.`)
  reports[name] = report
}
const path = join(import.meta.dirname, '..', 'src/lessons/testing', `runs-${adapter}.br`)
const bytes = brotliCompressSync(JSON.stringify(reports))
await writeFile(path, bytes)
console.log(`${String(Object.keys(reports).length)} runs, ${String(Math.round(bytes.length / 1000))} kB`)

/**
 * Reports of a lesson's runs, by where they were recorded: those that the site plays, and the
 * reports of runs on other adapters, kept here as `runs-<adapter>.br` (keep-reports.mjs), which
 * no page loads.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { decodeRun } from '../../trace/codec'
import type { Report } from '../../trace/report'

const RECORDINGS = 'public/recordings'
const KEPT = import.meta.dirname

/** Reports by file, without its ending: 'sync-stalls', 'sync-stalls/longer'. */
type Reports = Readonly<Record<string, Report>>

async function shipped(): Promise<Reports> {
  const files = readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.hdl.gz') && !file.startsWith('libraries'),
  )
  const read = await Promise.all(
    files.map(async (file) => {
      const decoded = await decodeRun(readFileSync(join(RECORDINGS, file)))
      const report = decoded.ok ? decoded.value.report : null
      if (!report) throw new Error(`${file} holds no run.`)
      return [file.replace('.hdl.gz', ''), report] as const
    }),
  )
  return Object.fromEntries(read)
}

const kept = (): readonly (readonly [adapter: string, Reports])[] =>
  readdirSync(KEPT).flatMap((file) => {
    const [, adapter] = /^runs-(.+)\.br$/.exec(file) ?? []
    if (adapter === undefined) return []
    const text = brotliDecompressSync(readFileSync(join(KEPT, file))).toString('utf8')
    return [[adapter, JSON.parse(text) as Reports] as const] // written by keep-reports.mjs
  })

const all = [['recordings', await shipped()] as const, ...kept()]

/** The lesson's own run is that of the step ''. */
export const recordedRuns = (
  id: string,
): readonly (readonly [name: string, reports: ReadonlyMap<string, Report>])[] =>
  all.flatMap(([name, reports]) => {
    const own = Object.entries(reports).flatMap(([file, report]) => {
      const [lesson, step = ''] = file.split('/')
      return lesson === id ? [[step, report] as const] : []
    })
    return own.length > 0 ? [[name, new Map(own)] as const] : []
  })

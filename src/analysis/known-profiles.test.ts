// Profiles of public programs (public/recordings/profiles/): what is true of each is known from its
// text and from steps timed without a profiler.
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { median } from '../base/stats'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { analyse } from './diagnosis'
import { analyseRanks } from './ranks'
import type { Cause } from './replay/causes'
import { diagnosed } from './testing/training-loop'

interface Known {
  readonly name: string
  readonly files: readonly string[]
  readonly fault: Cause | null
  /** The function of the program that has the line at fault. */
  readonly function: { readonly name: string; readonly line: number } | null
  readonly stacks: boolean
  readonly lateRank: number | null
  /** Steps without a profiler, ms, as found and without the cause. */
  readonly measured: {
    readonly of: string | null
    readonly stepMs: readonly number[]
    readonly otherMs: readonly number[] | null
  }
}
const FOLDER = 'public/recordings/profiles'
const known = JSON.parse(readFileSync(`${FOLDER}/profiles.json`, 'utf8')) as readonly Known[]
const stepOf = ({ measured }: Known) => median(measured.stepMs)
const read = async (file: string) => ({ file, ...(await opened(readFileSync(`${FOLDER}/${file}`))) })

async function analysed(row: Known, file: string) {
  const { trace } = await read(file)
  const [diagnosis] = analyse(placeTrace(trace), stepOf(row)).diagnoses
  if (!diagnosis) throw new Error(`${file} has no device`)
  return { file, trace, diagnosis }
}

describe('profiles of which it is known what is true', () => {
  it.each(known)('$name: the first sentence is right', async (row) => {
    const files = await Promise.all(row.files.map((file) => analysed(row, file)))
    for (const { file } of files) expect(statSync(`${FOLDER}/${file}`).size).toBeLessThan(300_000)
    if (files.length > 1) {
      const { late, verdict } = analyseRanks(files)
      expect(late?.rank ?? null).toBe(row.lateRank)
      expect(verdict.kind).toBe(row.lateRank === null ? 'balanced' : 'late')
      if (row.function)
        expect(verdict.doing).toContain(`${row.name}.py(${String(row.function.line)}): ${row.function.name}`)
      return
    }
    const [only] = files
    if (!only) throw new Error(`${row.name} has no file`)
    const { diagnosis } = only
    const [first] = diagnosis.findings
    expect(first?.cause ?? null, diagnosis.sentence).toBe(row.fault)
    expect(diagnosis.sentence).not.toContain('no record')
    if (!first) return
    expect(diagnosis.sentence).toContain(first.sentence)
    // A copy’s own time on the device has no function.
    if (row.stacks && row.fault !== 'copies-in-line')
      expect(first.line).toMatchObject({ file: `${row.name}.py`, ...row.function })
  })
})

describe('a step without the known cause, predicted from the profile and the step without a profiler', () => {
  const pairs = known.filter(({ measured }) => measured.of === 'mended')
  it.each(pairs)('$name', async (row) => {
    const traces = await Promise.all(row.files.map(read))
    const [first] = traces
    const trace = traces.length > 1 ? analyseRanks(traces).joined : first?.trace
    if (!trace || !row.fault) throw new Error('nothing to predict')
    // The other rank waits for the late one.
    const device = row.lateRank === 0 ? 1 : 0
    const { without } = diagnosed(trace, { stepMs: stepOf(row), device })
    const errorMs = without(row.fault) / 1e3 - median(row.measured.otherMs ?? [])
    expect(Math.abs(errorMs) / stepOf(row)).toBeLessThan(0.1)
  })
})

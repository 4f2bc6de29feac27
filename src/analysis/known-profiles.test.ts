// Profiles of public programs (public/recordings/profiles/): what is true of each is known from its text and from steps timed without a profiler.
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opened } from '../formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { summariseDevices } from './devices'
import { diagnose } from './diagnosis'
import { analyseRanks } from './ranks'
import { FAULT_WORDS } from './diagnosis-words'
import type { Fault } from './faults'

interface Known {
  readonly name: string
  readonly files: readonly string[]
  readonly fault: Fault | null
  /** Of the program, where its line at fault lies. */
  readonly function: { readonly name: string; readonly line: number } | null
  readonly stacks: boolean
  readonly lateRank: number | null
  /** Of how many launches, counted in the file by correlation. */
  readonly withoutRecord: readonly [number, number] | null
}
const FOLDER = 'public/recordings/profiles'
const known = JSON.parse(readFileSync(`${FOLDER}/profiles.json`, 'utf8')) as readonly Known[]

async function analysed(file: string) {
  const { trace } = await opened(readFileSync(`${FOLDER}/${file}`))
  const placed = placeTrace(trace)
  const [diagnosis] = diagnose(placed, summariseDevices(placed))
  if (!diagnosis) throw new Error(`${file} has no device`)
  return { file, trace, diagnosis }
}

describe('profiles of which it is known what is true', () => {
  it.each(known)('$name: the first sentence is right', async (row) => {
    const files = await Promise.all(row.files.map(analysed))
    for (const { file } of files) expect(statSync(`${FOLDER}/${file}`).size).toBeLessThan(300_000)
    if (files.length > 1) {
      const { late, verdict } = analyseRanks(files)
      expect(late?.rank ?? null).toBe(row.lateRank)
      expect(verdict.kind).toBe(row.lateRank === null ? 'balanced' : 'late')
      if (row.function) expect(verdict.doing).toContain(`${row.function.name} of ${row.name}.py`)
      return
    }
    const [only] = files
    if (!only) throw new Error(`${row.name} has no file`)
    const { diagnosis } = only
    const [first] = diagnosis.findings
    expect(first?.fault ?? null, diagnosis.sentence).toBe(row.fault)
    if (row.withoutRecord) {
      const [lost, launches] = row.withoutRecord
      expect(diagnosis.sentence).toMatch(
        new RegExp(`^${String(lost)} of ${String(launches)} launches .* have no record on the GPU`),
      )
    } else expect(diagnosis.sentence).not.toContain('no record')
    if (!first) return
    expect(diagnosis.sentence).toContain(FAULT_WORDS[first.fault].sentence(first.share))
    if (row.stacks) expect(first.source).toMatchObject({ file: `${row.name}.py`, ...row.function })
  })
})

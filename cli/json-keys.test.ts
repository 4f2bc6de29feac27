/**
 * The top-level keys of what each command prints or writes as JSON: scripts rely on them, and
 * `schema` names the version.
 */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { fileName, kinetoOf, lateByOne } from '../src/analysis/ranks/testing/made-up-ranks'
import { checkPython } from '../src/check/check'
import { decodeRun } from '../src/trace/codec'
import { parseAnalyze } from './analyze-arguments'
import { experiments } from './catalog'
import { plainAnalysis, readOne } from './lab-analyze'
import { analyze } from './lab-analyze-ranks'
import { checkJson } from './lab-check'
import { listJson } from './lab-texts'
import { pageReport } from './record-report'

const RUN = 'public/recordings/sync-stalls.hdl.gz'

async function printed(...args: readonly string[]): Promise<object> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await analyze(parseAnalyze([...args, '--json']))
    return JSON.parse(log.mock.calls.join('')) as object
  } finally {
    log.mockRestore()
  }
}

/** 'SCHEMA: KEYS', sorted. */
const told = (json: object): string => {
  const { schema, ...rest } = JSON.parse(JSON.stringify(json)) as { readonly schema: string }
  return `${schema}: ${Object.keys(rest).sort().join(' ')}`
}

it('analyze, of one file', async () => {
  const json = await printed(RUN)
  const [device] = (json as { readonly devices: readonly { readonly gaps: readonly object[] }[] }).devices
  expect(Object.keys(device ?? {}).join(' ')).toBe(
    'id name lanes spans busyUs spanUs unrecordedUs busyRatio workUs workRatio collectiveUs collectives axis coverage copies totals steps findings gaps',
  )
  expect(Object.keys(device?.gaps[0] ?? {})).toEqual(['beginUs', 'endUs', 'cause', 'evidence'])
  expect(told(json)).toBe(
    'host-device-lab/analysis@2: coverage criticalPath devices diagnoses file format notes skipped spans',
  )
})

it('analyze --without: per step, on the scale of the step that is given', async () => {
  const stalled = 'public/recordings/torch-sync-stalls-stalled.json.gz'
  const keys = ['recordedUs', 'replayedUs', 'stepUs', 'low', 'high', 'gain']
  const plain = (await printed(stalled, '--without', 'read-back')) as Record<string, number>
  expect(Object.keys(plain)).toEqual(keys)
  expect(plain['gain']).toBeCloseTo((plain['replayedUs'] ?? 0) / (plain['stepUs'] ?? 0), 9)
  expect(await printed(stalled, '--without', 'allocation,data-loading')).toMatchObject({ gain: 1 })
  expect(await printed(stalled, '--without', 'read-back', '--step-ms', '0.4')).toMatchObject({
    recordedUs: plain['recordedUs'],
    replayedUs: expect.closeTo(400, 3) as number,
  })
})

it('analyze, of several ranks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lab-json-'))
  const files = [0, 1].map((rank) => join(folder, fileName(rank)))
  for (const [rank, file] of files.entries()) await writeFile(file, kinetoOf(lateByOne(2), rank).text())
  expect(told(await printed(...files))).toBe(
    'host-device-lab/ranks-analysis@1: alignment collectives files late lateEvidence problems ranks',
  )
})

it('run and record', async () => {
  const run = await decodeRun(readFileSync(RUN))
  if (!run.ok || !run.value.report) throw new Error('it has no report')
  expect(told(run.value.report)).toBe(
    'host-device-lab/report@1: clock derived durationMs environment experiment metrics params startedAt validity verdict verification warmUps',
  )
  const { analysis } = await readOne(RUN)
  expect(told(pageReport(run.value.trace, plainAnalysis(analysis), () => null))).toBe(
    'host-device-lab/page@2: adapter counts devices figures findings frames lost notes passes rejected replaced run startup submits uploads url vain verdicts waits',
  )
})

it('check', () => {
  const { files, ...json } = checkJson([{ file: 'train.py', ...checkPython('import torch') }])
  expect(told({ ...json, files })).toBe('host-device-lab/check@1: files')
  expect(Object.keys(files[0] ?? {})).toEqual(['file', 'findings', 'questions', 'unread'])
})

it('list', () => expect(told(listJson(experiments))).toBe('host-device-lab/experiments@1: experiments'))

/** What `record` runs, read from the lessons. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { decodeRun } from '../src/trace/codec'
import { readLessons } from '../vite/words-md'
import { lab } from './lab-commands'
import { parseRecordLessons } from './lab-arguments'
import { recordingsOf } from './lab-record-lessons'

const RECORDINGS = join(import.meta.dirname, '..', 'public', 'recordings')

it('every lesson is recorded with its own values, and every step that runs others', async () => {
  const all = await recordingsOf([], {})
  for (const { id, values, steps } of (await readLessons()).filter(
    (lesson) => lesson.kind === 'experiment',
  )) {
    const own = all.find(({ file }) => file === `${id}.hdl.gz`)
    expect(Object.keys(own?.params ?? {})).toEqual(Object.keys(values))
    for (const { id: step, action } of steps) {
      const runs = action !== undefined && Object.keys(action.values).length > 0
      expect(
        all.some(({ file }) => file === `${id}/${step}.hdl.gz`),
        `${id}/${step}`,
      ).toBe(runs)
    }
  }
})

it('every step’s recording is of the values that the step has now', async () => {
  for (const { id, steps } of (await readLessons()).filter((lesson) => lesson.kind === 'experiment'))
    for (const { id: step, action } of steps) {
      const file = join(RECORDINGS, id, `${step}.hdl.gz`)
      if (!action || !existsSync(file)) continue
      const decoded = await decodeRun(readFileSync(file))
      expect(decoded, `${id}/${step}`).toMatchObject({ value: { report: { params: action.values } } })
    }
})

it('what is laid over holds for steps only, and below what a step is about', async () => {
  const [own, ...steps] = await recordingsOf(['sync-stalls'], { repeats: 3, kernelMs: 1 })
  expect(own?.params).toMatchObject({ repeats: '5', kernelMs: '0.05' })
  expect(steps.length).toBeGreaterThan(1)
  for (const { params } of steps) expect(params['repeats']).toBe('3')
  expect(steps.find(({ file }) => file.endsWith('/longer.hdl.gz'))?.params['kernelMs']).toBe('0.4')
  expect(steps.find(({ file }) => file.endsWith('/slow-host.hdl.gz'))?.params['kernelMs']).toBe('1')
})

it('a file stands for its run alone', async () => {
  const files = (await recordingsOf(['sync-stalls/longer.hdl.gz', 'worth-it.hdl.gz', 'ranks'], {})).map(
    ({ file }) => file,
  )
  expect(files.filter((file) => !file.startsWith('ranks'))).toEqual([
    'sync-stalls/longer.hdl.gz',
    'worth-it.hdl.gz',
  ])
  expect(files).toContain('ranks.hdl.gz')
  await expect(recordingsOf(['sync-stalls/nothing.hdl.gz'], {})).rejects.toThrow('nothing')
})

it('refuses a lesson that there is not, and values that no experiment takes', async () => {
  await expect(recordingsOf(['nothing'], {})).rejects.toThrow("Unknown lesson or file 'nothing'")
  await expect(recordingsOf(['sync-stalls'], { kernelMs: 1e9 })).rejects.toThrow('kernelMs')
  expect(parseRecordLessons(['sync-stalls', '--set', 'repeats=3', '--adapter', 'software'])).toEqual({
    lessons: ['sync-stalls'],
    over: { repeats: '3' },
    adapter: 'software',
    out: 'lab-out/recordings',
    seconds: null,
  })
  expect(parseRecordLessons(['--seconds', '90'])).toMatchObject({ seconds: 90 })
  for (const seconds of ['', '0', '-1', '1.5', 'x'])
    await expect(lab(['record-lessons', `--seconds=${seconds}`])).rejects.toThrow('--seconds')
  await expect(lab(['run', 'sync-stalls', '--seconds', '9'])).rejects.toThrow('--seconds')
})

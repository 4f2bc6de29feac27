import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { fileName, kinetoOf, lateByOne, type MadeUp } from '../src/analysis/ranks/testing/made-up-ranks'
import { parseAnalyze } from './analyze-arguments'
import { analysisJson, readOne } from './lab-analyze'
import { analyze } from './lab-analyze-ranks'

const RECORDED = [0, 1].map((rank) => `public/recordings/torch-nccl-rank${String(rank)}.json.gz`)

async function written(made: MadeUp): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-'))
  const files = Array.from({ length: made.ranks }, (_, rank) => join(folder, fileName(rank)))
  for (const [rank, file] of files.entries()) await writeFile(file, kinetoOf(made, rank).text())
  return files
}
const LATE = lateByOne(2)

async function said(files: readonly string[], as: 'json' | 'text' | 'markdown'): Promise<string> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  expect(await analyze(parseAnalyze([...files, ...(as === 'text' ? [] : [`--${as}`])]))).toBe(0)
  const lines = log.mock.calls.join('\n')
  log.mockRestore()
  return lines
}

describe('lab analyze of several ranks', () => {
  it('writes JSON with the keys that scripts rely on, and each file’s own', async () => {
    const files = await written(LATE)
    const json = JSON.parse(await said(files, 'json')) as Record<string, unknown> & {
      readonly ranks: readonly Record<string, unknown>[]
      readonly late: Record<string, unknown>
    }
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(['ranks', 'late', 'alignment', 'problems', 'files']),
    )
    for (const rank of json.ranks)
      expect(Object.keys(rank)).toEqual(['rank', 'file', 'device', 'busyRatio', 'workRatio', 'waitedUs'])
    expect(json.ranks.map(({ rank, file, device }) => [rank, file, device])).toEqual(
      files.map((file, rank) => [rank, file, 'device 0']),
    )
    const [zero, one] = json.ranks.map(({ waitedUs }) => waitedUs)
    expect(zero).toBeCloseTo(3000, 0)
    expect(one).toBeCloseTo(0, 0)
    expect(json.late).toEqual({
      rank: 1,
      steps: [4, 5, 6],
      medianUs: expect.closeTo(1000, 0) as number,
      totalUs: expect.closeTo(3000, 0) as number,
      cause: 'more-work',
    })
    const own = await Promise.all(files.map((file) => readOne(file)))
    expect(json['files']).toEqual(
      own.map(({ analysis }) => JSON.parse([...analysisJson(analysis)].join('\n')) as unknown),
    )
  })

  it('tells in Markdown waiting for another rank from moving data, as the page does', async () => {
    const text = await said(await written(LATE), 'markdown')
    expect(text).toContain('| rank 0 · device 0 |')
    expect(text).toContain('Waiting in collectives takes')
    expect(text).not.toContain('Collectives run alone')
  })

  it('takes a folder for all traces in it, whichever way they are nested', async () => {
    const files = await written(LATE)
    const folder = dirname(files[0] ?? '')
    await writeFile(join(folder, 'notes.txt'), 'no trace')
    const json = await said([folder], 'json')
    expect(json).toBe(await said([...files].sort(), 'json'))
    expect(await said([dirname(folder) + '/' + basename(folder) + '/.'], 'markdown')).toContain('Rank')
    await writeFile(join(folder, 'et.json'), '{"schema":"1.0.1","nodes":[]}')
    const heard = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await said([folder], 'json')).toBe(json)
    expect(heard.mock.calls.join('')).toMatch(
      /et\.json' cannot be read\. .*execution trace.* It is left out\./,
    )
    heard.mockRestore()
    const others = await mkdtemp(join(tmpdir(), 'lab-'))
    await copyFile(join(folder, 'et.json'), join(others, 'et.json'))
    await expect(said([others], 'json')).rejects.toThrow('execution trace')
    const nested = await mkdtemp(join(tmpdir(), 'lab-'))
    await mkdir(join(nested, 'plugins/profile/1'), { recursive: true })
    for (const name of ['perfetto_trace.json.gz', 'host.trace.json.gz'])
      await copyFile(RECORDED[0] ?? '', join(nested, 'plugins/profile/1', name))
    expect(JSON.parse(await said([nested], 'json'))).toMatchObject({
      file: join(nested, 'plugins/profile/1/host.trace.json.gz'),
    })
    const empty = await mkdtemp(join(tmpdir(), 'lab-'))
    await expect(said([empty], 'json')).rejects.toThrow(/holds no file that ends in \.json/)
  })

  it('tells people the same', async () => {
    const text = await said(await written(LATE), 'text')
    expect(text).toContain(
      'Rank 1 is late by 1 ms a step (median), 3 ms in all, in steps 4 to 6, and the other waits for it: its kernels and copies take longer.',
    )
    expect(text).toMatch(/Moved 123 ms back from the time of day in the file/)
    const balanced = await said(RECORDED, 'text')
    expect(balanced).toContain('None of these ranks is late')
    expect(balanced).toContain('problem: 2 of 4 ranks are here; ranks 2, 3 are missing')
    expect(balanced).toMatch(/^rank +busy +work +waited +file\n0 +99\.\d+ % +58\.\d+ % +5\d\d µs/)
    const [file = ''] = RECORDED
    const twice = await said([file, file], 'text')
    expect(twice).toContain('are both from rank 0: only the latter is used')
    expect(twice).toContain('Only one rank is left')
  })
})

import { expect, it } from 'vitest'
import { PAGE_FIGURES } from '../src/analysis/page-figures'
import type { PageReport } from '../cli/record-report'
import { libraryWords } from './library-recordings'

const figures = (given: Partial<PageReport['figures']>): PageReport['figures'] => ({
  ...(Object.fromEntries(PAGE_FIGURES.map((name) => [name, null])) as PageReport['figures']), // of all
  ...given,
})

const report = (given: Partial<PageReport>): PageReport => ({
  schema: 'host-device-lab/page@2',
  url: 'http://localhost:4180/three/index.html',
  adapter: null,
  verdicts: ['The device was busy for 3 % of the time.'],
  notes: [],
  submits: 0,
  vain: { empty: 0, void: 0 },
  devices: 0,
  startup: null,
  passes: { compute: 0, render: 0 },
  waits: [],
  frames: { count: 0, submitting: 0, medianUs: null },
  run: null,
  figures: figures({}),
  uploads: {},
  counts: {},
  findings: [],
  replaced: [],
  lost: [],
  rejected: {},
  ...given,
})
const drawing = (given: Partial<PageReport['figures']>, rest: Partial<PageReport> = {}) =>
  report({
    frames: { count: 9, submitting: 7, medianUs: 1 },
    figures: figures({ drawsPerFrame: 5, passesPerFrame: 1, submitsPerFrame: 2, ...given }),
    ...rest,
  })
const finding = (what: string, lines: readonly string[], lesson: string | null = null) => ({
  what,
  count: 1,
  evidence: `Seen of ${what}`,
  mend: '',
  lines,
  lesson,
})

it('says of frames what the report has, and of no write that there is none', () => {
  expect(libraryWords(drawing({ writesPerFrame: 5, bytesWrittenPerFrame: 320 })).paragraph).toBe(
    'A frame has 5 draws in 1 pass, 2 submits, and 5 calls of writeBuffer(), 320 bytes in all (medians of 7 frames). The device was busy for 3 % of the time. Nothing else stands out in it.',
  )
  expect(libraryWords(drawing({ writesPerFrame: 0 })).paragraph).toContain('and no calls of writeBuffer() (')
})

it('says of a page without frames how long its host waits', () => {
  const run = { submits: 39, us: 2000, waits: 39, waitedUs: 1000 }
  expect(libraryWords(report({ run })).paragraph).toBe(
    'It submits 39 times and waits 39 times in 2 ms; the waits take 50 % of that. The device was busy for 3 % of the time. Nothing else stands out in it.',
  )
})

it('names lines of the library, without the site', () => {
  const { paragraph, lines } = libraryWords(
    drawing(
      {},
      {
        findings: [
          finding('A frame makes a buffer.', ['http://localhost:4180/three/three.webgpu.js:12 (make)']),
        ],
      },
    ),
  )
  expect(paragraph).toContain('A frame makes a buffer: seen of A frame makes a buffer.')
  expect(lines).toEqual(['three.webgpu.js:12 (make)'])
})

it('leaves out what the page itself did, what has no line, and what a lesson mends', () => {
  const findings = [
    finding('Own.', ['http://localhost:4180/three/boxes.js:55 (read)']),
    finding('Nowhere.', []),
    finding('Mended.', ['http://localhost:4180/three/three.webgpu.js:1'], 'sync-stalls'),
  ]
  const { paragraph, lines } = libraryWords(drawing({}, { findings }))
  expect(paragraph).toContain('Nothing else stands out in it.')
  expect(lines).toEqual([])
})

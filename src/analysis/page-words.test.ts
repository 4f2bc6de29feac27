import { expect, it } from 'vitest'
import { pageWords } from './page-words'

const pace = { submits: 10, ofTimers: 0, seesTasks: true, keepsUp: false }
const facts = {
  pace,
  busyRatio: 0.05,
  device: { busyUs: 40, spanUs: 700 },
  steps: {
    count: 1,
    medianUs: 330_000,
    replayedUs: 330_000,
    profilerUs: 0,
    from: 'extent',
    unprofiledUs: null,
    estimatedUs: null,
    errorsOf: 'pages',
  },
  idleShare: 0.95,
  excused: [{ excuse: 'unknown', us: 660, share: 0.94 }],
  queuedShare: 1,
  problem: '',
} as const

it('a burst of passes is no pace of the page, busy or not', () => {
  const { sentence } = pageWords(facts)
  expect(sentence).toMatch(/^The GPU was at work for 40\sµs of 330\sms, and no change/)
  const busy = { ...facts, busyRatio: 0.9, device: { busyUs: 630, spanUs: 700 } }
  expect(pageWords(busy).sentence).toMatch(/^The GPU was at work for 630\sµs of 330\sms/)
  const long = { ...facts, device: { busyUs: 16_000, spanUs: 320_000 } }
  expect(pageWords(long).sentence).toMatch(/^The GPU had work but did not begin it/)
})

it('frames at the display’s pace are said to be, whatever the script does meanwhile', () => {
  const frames = { ...facts, steps: { ...facts.steps, from: 'frames' }, excused: [] } as const
  expect(pageWords({ ...frames, pace: { ...pace, keepsUp: true } }).sentence).toMatch(
    /^The page keeps up with its display: .* to show more frames\.$/,
  )
  expect(pageWords(frames).sentence).toMatch(/^The GPU was at work for .* gain/)
})

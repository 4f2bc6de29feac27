import { expect, it } from 'vitest'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import { adapterName, dateOf } from './run-words'
import { faultWords } from './FaultNotice'
import { findExperiment } from '../../experiments/catalog'
import { experimentLessons } from '../../lessons/testing/catalog'

it('says what is not known as not known', () => {
  expect(adapterName(testInfo)).toBe('an unnamed adapter')
  expect(dateOf({ ...testInfo, startedAt: '2026-11-21T23:30:00Z' })).toBe('21 Nov 2026')
  expect(dateOf({ ...testInfo, startedAt: 'yesterday' })).toBe('')
})

it('every fault has a heading and something to try', () => {
  for (const [code, { title, hint }] of Object.entries(faultWords)) {
    expect(title, code).toMatch(/^[A-Z‘].*[^.]$/)
    expect(hint, code).toMatch(/\.$/)
  }
})

/** A heading calls a variant by words: what numbers are packed into is a name for programs. */
const named = experimentLessons.flatMap(({ id, experiment, steps }) =>
  steps.flatMap(({ guess, compare }) =>
    [guess, guess?.than, ...compare].flatMap((figure) =>
      figure && figure.variant !== '' ? [{ id, experiment, variant: figure.variant }] : [],
    ),
  ),
)

it('asks of steps by the words for their variants', () => {
  expect(named.length).toBeGreaterThan(0)
  const bare = named.filter(
    ({ experiment, variant }) => /\d/.test(variant) && !findExperiment(experiment)?.inWords?.(variant),
  )
  expect(bare).toEqual([])
})

it.each([
  ['sync-stalls', 'every-step', 'reading after every step'],
  ['collectives', 'ring-4x4096', 'the ring with 4 MiB'],
  ['transfer-cost', 'up-1m', '1 MiB to the device'],
  ['transfer-cost', 'up', 'to the device'],
  ['worth-it', 'cpu-2048', 'on the CPU, n = 2048'],
  ['pipeline-bubble', '1f1b-1', '1F1B with 1 micro-batch'],
  ['starved-by-the-loader', 'workers-16', '16 workers'],
  ['starved-by-the-loader', 'ahead-1', '1 batch ahead'],
  ['staging-buffers', 'ring-2', 'a ring of 2'],
])('%s calls %s %s', (experiment, variant, words) =>
  expect(findExperiment(experiment)?.inWords?.(variant)).toBe(words),
)

/** Compare shows the causes and shares of the runs' own pages: over every recording that the site serves, in short those of lessons and no step's. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { summariseDevices } from '../../analysis/devices'
import { idleTotals } from '../../analysis/idle-totals'
import { opened } from '../../trace/formats/import/testing/read-back'
import { inShort } from '../../testing/long'
import { decodeRun } from '../../trace/codec'
import { placeTrace } from '../../trace/place'
import { chooseVariant, compareSides, countedVariants, DEVICE_BUSY, gapsOfRun } from './comparison'
import { endedState } from './run-store'
import { isTimed } from './testing/is-timed'
import { traceTools } from './trace-tools'

const FOLDER = 'public/recordings'
/** Of experiments. */
const recordings = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.hdl.gz') && !name.startsWith('libraries'),
)

async function runOf(name: string) {
  const read = await decodeRun(readFileSync(`${FOLDER}/${name}`))
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

it('there are recordings to compare', () => expect(recordings.length).toBeGreaterThan(5))

describe.each(inShort(recordings, (name) => !/[\\/]/.test(name)))('%s', (name) =>
  it('has the same causes, shares and evidence on its own page and in Compare', async () => {
    const run = await runOf(name)
    const own = endedState('lessons/any', run, traceTools)
    if (!own.placed) throw new Error('nothing was placed')
    const variants = countedVariants(own.placed)
    const [first = '', last = ''] = [variants[0], variants.at(-1)]
    const side = { placed: own.placed, report: run.report, gaps: gapsOfRun(own.placed, run.report) }
    const shown = compareSides({ ...side, variant: first }, { ...side, variant: last })
    const totals = idleTotals(own.placed.trace, own.gaps)
    expect(totals.length > 0).toBe(isTimed(own.placed.trace))
    for (const [placed, gaps, zero] of [
      [shown.a, shown.gapsA, shown.zeroA],
      [shown.b, shown.gapsB, shown.zeroB],
    ] as const) {
      expect(idleTotals(placed.trace, gaps)).toEqual(totals)
      expect(gaps.map(({ evidence }) => evidence)).toEqual(own.gaps.map(({ evidence }) => evidence))
      for (const [index, { startNs, endNs, before }] of gaps.entries()) {
        const gap = own.gaps[index]
        expect(startNs).toBe((gap?.startNs ?? 0) - zero.timeNs)
        // Where the pass before it ends on the moved axis: drawn between the passes that it lies between.
        const passEndNs = placed.endNs[before] ?? 0
        expect(startNs).toBeGreaterThan(passEndNs - 1e6)
        expect(endNs).toBeGreaterThan(startNs)
      }
    }
  }),
)

it('a variant that the run does not have is replaced by one that it has', async () => {
  const { trace } = await runOf(recordings[0] ?? '')
  const placed = traceTools.place(trace)
  const variants = countedVariants(placed)
  expect(variants).toContain(chooseVariant(placed, 'never-heard-of', null))
})

describe('two profiles', () => {
  const sideOf = async (name: string) => {
    const placed = placeTrace((await opened(readFileSync(`${FOLDER}/${name}`))).trace)
    return { placed, report: null, variant: '', gaps: [] }
  }

  it('differ in how busy the device was, and no verdict is given: neither has repeats', async () => {
    const [stalled, mended] = [
      await sideOf('torch-sync-stalls-stalled.json.gz'),
      await sideOf('torch-sync-stalls-mended.json.gz'),
    ]
    const { metrics, figuresOf } = compareSides(stalled, mended)
    expect(figuresOf).toBe('traces')
    const [busyA, busyB] = [stalled, mended].map(({ placed }) => summariseDevices(placed)[0]?.busyRatio)
    expect(metrics).toMatchObject([
      { name: DEVICE_BUSY.name, a: { value: busyA }, b: { value: busyB }, verdict: 'unknown' },
    ])
    expect(metrics[0]?.change?.value).toBeGreaterThan(0)
  })
})

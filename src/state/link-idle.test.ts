/** What a link carries of idle time is what the sender's page showed, whatever is left of the trace. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findGaps } from '../analysis/gaps'
import { idleTotals, type IdleVariant } from '../analysis/idle-totals'
import { openRunLink } from '../formats/link/text'
import { experimentLessons } from '../lessons/testing/catalog'
import { decodeRun } from '../trace/codec'
import { placeTrace } from '../trace/place'
import type { Trace } from '../trace/schema'
import { endedState, type RunState } from './run-store'
import { leftOutOf, totalsOf } from './link-idle'
import { createRunFiles } from './run-files'
import { storyOf } from './story'
import { isTimed } from './testing/is-timed'
import { traceTools } from './trace-tools'

const FOLDER = 'public/recordings'
const recordings = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.hdl.gz'),
)
const files = createRunFiles(() => Promise.reject(new Error('nothing is written here')))

/** As the page of the sender and that of the recipient have it. */
async function sent(name: string) {
  const read = await decodeRun(readFileSync(`${FOLDER}/${name}`))
  if (!read.ok) throw new Error(read.error.message)
  const own = endedState('lessons/any', read.value, traceTools)
  const link = await files.runLink(read.value)
  if (!link.ok) return { own, error: link.error }
  const back = await openRunLink(link.value.text)
  if (!back.ok) throw new Error(back.error.message)
  return { own, link: link.value, back: back.value, shared: endedState('shared', back.value, traceTools) }
}

/** Of one that an address bears. */
async function sentWhole(name: string) {
  const whole = await sent(name)
  if (whole.error !== undefined) throw new Error(whole.error)
  return whole
}

const variantsIn = ({ report }: RunState): readonly string[] => [
  ...new Set(report?.metrics.map(({ variant }) => variant).filter((variant) => variant !== '')),
]

/** Without the indices of gaps, which are the part's own; nearly to the twelve figures that travel. */
const figuresOf = (totals: readonly IdleVariant[]) =>
  totals.map(({ variant, repeats, extentNs, idleNs, causes }) => [
    variant,
    repeats,
    extentNs.toPrecision(9),
    idleNs.toPrecision(9),
    causes.map(({ cause, count, totalNs, share, longestNs, perRepeat: { value, low, high, n, unit } }) => [
      cause,
      count,
      ...[totalNs, share, longestNs, value ?? -1, low ?? -1, high ?? -1].map((each) => each.toPrecision(9)),
      n,
      unit,
    ]),
  ])

describe.each(recordings)('%s in a link', (name) => {
  it('shows its recipient the causes, shares and first steps that its sender saw', async () => {
    const { own, error, link, back, shared } = await sent(name)
    if (error !== undefined) {
      // One repeat of each of so many variants is more than an address bears: the page offers the file instead.
      expect(error).toMatch(/^This run is too large for a link: .+ Save the file instead\.$/)
      expect(variantsIn(own).length).toBeGreaterThan(20)
      return
    }
    if (!own.placed || !shared.placed) throw new Error('nothing was placed')
    expect(leftOutOf(back.trace)).toBe(link.leftOut)
    const totals = totalsOf(own.placed.trace, own.gaps)
    expect(totals.length > 0).toBe(isTimed(own.placed.trace))
    expect(figuresOf(totalsOf(back.trace, shared.gaps))).toEqual(figuresOf(totals))
    const lesson = experimentLessons.find(({ experiment }) => experiment === back.trace.info.experiment)
    if (!lesson) throw new Error('the recording is of no lesson')
    const step = lesson.steps.find(({ id }) => name.endsWith(`/${id}.hdl.gz`))
    const plan = { ...lesson.story, ...step?.show }
    const [before, after] = [storyOf(own, plan), storyOf(shared, plan)]
    // A tenth of a µs: the fit of the tight snapshots.
    expect(Math.abs((after?.lengthNs ?? 0) - (before?.lengthNs ?? NaN))).toBeLessThan(100)
    const picture = (story: typeof before) =>
      story?.strips.map(({ variant, repeat, rows, idle, stepsEnded }) => ({
        variant,
        repeat,
        stepsEnded,
        rows: rows.map(({ name: lane, bars }) => [lane, bars.length]),
        idle: idle.map(({ cause }) => cause),
      }))
    expect(picture(after)).toEqual(picture(before))
  })
})

it('a part of which nothing was carried has no shares: none is worked out from it', async () => {
  const { back } = await sentWhole('sync-stalls.hdl.gz')
  const derived = Object.fromEntries(
    Object.entries(back.trace.info.derived).filter(([name]) => name !== 'linkIdle'),
  )
  const trace = { ...back.trace, info: { ...back.trace.info, derived } }
  expect(leftOutOf(trace)).not.toBeNull()
  const gaps = findGaps(placeTrace(trace))
  expect(idleTotals(trace, gaps).length).toBeGreaterThan(0)
  expect(totalsOf(trace, gaps)).toEqual([])
})

it('what is not legible is left out, and never throws', async () => {
  const { trace } = (await sentWhole('sync-stalls.hdl.gz')).back
  const carrying = (linkIdle: unknown) => ({
    ...trace,
    info: { ...trace.info, derived: { ...trace.info.derived, linkIdle } as Trace['info']['derived'] },
  })
  for (const text of [undefined, 7, '', '{', '[]', '7', '[[]]', '[["never",1,2]]', '[[1,1,2,3,[]]]', 'null'])
    expect(totalsOf(carrying(text), [])).toEqual([])
  const [one] = totalsOf(
    carrying('[["never",5,100,50,[[0,1,50,50,null,null,null,5],[99,1,1,1],null,7]]]'),
    [],
  )
  expect(one?.causes.map(({ cause, share, perRepeat }) => [cause, share, perRepeat.value])).toEqual([
    ['host-waited', 0.5, null],
  ])
})

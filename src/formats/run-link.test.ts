import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGaps } from '../analysis/gaps'
import type { Gap } from '../trace/gaps'
import type { Result } from '../base/result'
import { decodeRun, encodeRun, type SavedRun } from '../trace/codec'
import { readFile, writeFile } from '../trace/file-layout'
import { placeTrace, type PlacedTrace } from '../trace/place'
import { SPAN_ROLES, TRACE_VERSION } from '../trace/schema'
import { arbitraryTrace, newBuilder } from '../trace/testing/arbitrary-trace'
import { sampleReport } from '../trace/testing/sample-report'
import { typicalRepeats } from '../trace/typical-repeats'
import { compactFile, expandFile } from './link/compact'
import { cuts } from './link/cuts'
import { openRunLink, runLinkText } from './link/text'
import { shortRunLink } from './run-link'

const MAX_LINK_CHARACTERS = 32_000

function valueOf<T, E extends { readonly message: string } | string>(result: Result<T, E>): T {
  if (result.ok) return result.value
  throw new Error(typeof result.error === 'string' ? result.error : result.error.message)
}
/** As bytes: every column, to the last bit. */
const asBytes = ({ trace, report }: SavedRun) =>
  Buffer.from(encodeRun({ trace: { ...trace, info: { ...trace.info, origin: 'imported' } }, report }))
const isSame = (a: SavedRun, b: SavedRun) => asBytes(a).equals(asBytes(b))

/** By the ticks between which a gap lies, which a cut does not touch. */
const gapsByPlace = (placed: PlacedTrace): ReadonlyMap<string, Gap> =>
  new Map(
    findGaps(placed).map((gap) => {
      const { start, end } = placed.trace.spans
      const ticks = [end[gap.before], start[gap.after], Math.round(gap.startNs / 1e3)]
      return [[placed.trace.strings[gap.variant], gap.repeat, gap.durationNs, ...ticks].join(' '), gap]
    }),
  )

const FIXTURES = 'src/trace/testing/fixtures/version-1'
const folder = 'public/recordings'
const recordings = readdirSync(folder).filter((name) => name.endsWith('.hdl.gz'))
const recorded = async (name: string) => valueOf(await decodeRun(readFileSync(`${folder}/${name}`)))

describe('a run in a link', () => {
  it('comes back to the last bit, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTrace, fc.boolean(), async (trace, withReport) => {
        const run = { trace, report: withReport ? sampleReport : null }
        const text = await runLinkText(run)
        expect(text).toMatch(/^[\w-]+$/)
        expect(isSame(valueOf(await openRunLink(text)), run)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('comes back where times are odd: clock steps, negative zero, huge, tiny', async () => {
    const builder = newBuilder()
    for (const start of [-0, 5e3 * 7.000000000000001, 5e-324, -1e11, 2 ** 53, -(2 ** 53), 1198236000.0000002])
      builder.addSpan({ lane: 0, kind: 'encode', name: 'a', start, end: start, bytes: 2 ** 40 })
    const run = { trace: builder.freeze(), report: null }
    expect(isSame(valueOf(await openRunLink(await runLinkText(run))), run)).toBe(true)
  })

  it.each(recordings)('%s: comes back, and fits with its whole report', async (name) => {
    const run = await recorded(name)
    const text = await runLinkText(run)
    expect(isSame(valueOf(await openRunLink(text)), run)).toBe(true)
    const link = valueOf(await shortRunLink(run))
    expect(link.text.length).toBeLessThanOrEqual(MAX_LINK_CHARACTERS)
    const back = valueOf(await openRunLink(link.text))
    expect(back.report).toEqual(run.report)
    if (link.leftOut !== null) expect(back.trace.info.derived['linkLeftOut']).toBe(link.leftOut)
  })

  it.each(recordings)('%s: what is cut stands where it stood, with the causes that it had', async (name) => {
    const { trace } = await recorded(name)
    const placed = placeTrace(trace)
    const own = gapsByPlace(placed)
    let before = trace.spans.length + 1
    for (const cut of cuts(trace)) {
      expect(cut.trace.spans.length).toBeLessThan(before)
      before = cut.trace.spans.length
      const part = placeTrace(cut.trace)
      expect(part.unplaced).toEqual([])
      const kept = gapsByPlace(part)
      expect(kept.size > 0).toBe(own.size > 0)
      for (const [place, gap] of kept) {
        expect(gap.cause).toBe(own.get(place)?.cause)
        expect(Math.abs(gap.startNs - (own.get(place)?.startNs ?? Number.NaN))).toBeLessThan(1)
      }
    }
  })

  it('leaves out repeats last, and the typical one of each variant never', async () => {
    const { trace } = await recorded('sync-stalls.hdl.gz')
    const left = [...cuts(trace)].map((cut) => cut.leftOut)
    expect(left[0]).toMatch(/calibration, probes and warm-up are left out/)
    expect(left.at(-1)).toMatch(/all but 1 of 5 repeats of each variant/)
    const typical = [...cuts(trace)].map((cut) =>
      typicalRepeats(cut.trace, cut.trace.strings.indexOf('every-step')).at(0),
    )
    expect(new Set(typical).size).toBe(1)
  })

  it('carries figures of the whole beside a part, and not beside the whole', async () => {
    const run = await recorded('sync-stalls.hdl.gz')
    const carriedIn = async (maxCharacters: number) => {
      const link = valueOf(await shortRunLink(run, { maxCharacters, carried: '[1]' }))
      return valueOf(await openRunLink(link.text)).trace.info.derived['linkIdle']
    }
    expect(await carriedIn(MAX_LINK_CHARACTERS)).toBe('[1]')
    expect(await carriedIn(10 * MAX_LINK_CHARACTERS)).toBeUndefined()
  })

  it('says how much is too much, and never gives a longer link', async () => {
    const run = await recorded('sync-stalls.hdl.gz')
    const answer = await shortRunLink(run, { maxCharacters: 500 })
    expect(answer.ok ? '' : answer.error).toMatch(/too large for a link: \d+,000 characters/)
    for (const maxCharacters of [2000, 8000, 12_000, 20_000]) {
      const shorter = await shortRunLink(run, { maxCharacters })
      if (shorter.ok) expect(shorter.value.text.length).toBeLessThanOrEqual(maxCharacters)
    }
    expect([...cuts(newBuilder().freeze())]).toEqual([])
  })
})

it('a link of version 1 opens as the file of version 1 does, with the roles that its recorder knew', async () => {
  const old = `${FIXTURES}/overlapped-uploads`
  const link = readFileSync(`${old}.link.txt`, 'utf8')
  expect(link.startsWith('1')).toBe(true)
  const back = valueOf(await openRunLink(link))
  expect(isSame(back, valueOf(await decodeRun(readFileSync(`${old}.hdl.gz`))))).toBe(true)
  expect(new Set(back.trace.spans.role)).toContain(SPAN_ROLES.indexOf('fill'))
})

describe('a link that is none', () => {
  it('of bytes that someone has spoilt ends in a reason or a sound file, whatever the bytes', () => {
    const builder = newBuilder()
    for (let at = 0; at < 12; at += 1) {
      const span = builder.addSpan({
        lane: at % 4,
        kind: 'compute',
        name: 'a',
        start: at * 7.5,
        end: at * 9,
        variant: 'v',
      })
      builder.addFlow(0, span, 'submit')
      builder.addCounterSample(0, at, at)
    }
    const read = readFile(encodeRun({ trace: builder.freeze(), report: null }))
    if (!read.ok) throw new Error(read.error.message)
    const bytes = compactFile(read.value.file)
    const mutation = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }))
    let [opened, refused] = [0, 0]
    fc.assert(
      fc.property(
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 40 })),
        (mutations, cut) => {
          const spoilt = bytes.slice(0, bytes.length - cut)
          for (const [at, byte] of mutations) spoilt[at % spoilt.length] = byte
          try {
            writeFile(1, expandFile(spoilt))
            opened += 1
          } catch (thrown) {
            expect(
              thrown instanceof RangeError || thrown instanceof SyntaxError || thrown instanceof TypeError,
            ).toBe(true)
            refused += 1
          }
        },
      ),
      { numRuns: 3000 },
    )
    expect(opened).toBeGreaterThan(10)
    expect(refused).toBeGreaterThan(10)
  })

  it('is refused with a sentence: cut, changed, of another version, of other letters', async () => {
    const text = await runLinkText({ trace: newBuilder().freeze(), report: null })
    const reason = async (link: string) => {
      const answer = await openRunLink(link)
      return answer.ok ? 'opened' : answer.error.message
    }
    expect(await reason('')).toContain('no run')
    expect(await reason('hello')).toContain('does not begin')
    expect(await reason(`${String(TRACE_VERSION + 1)}${text.slice(1)}`)).toContain('later version')
    expect(await reason(`0${text.slice(1)}`)).toContain('does not begin')
    expect(await reason(text.slice(0, -5))).toContain('cut or changed')
    expect(await reason('1')).toContain('damaged')
    for (let at = 1; at < text.length; at += 1) {
      const other = text[at] === 'A' ? 'B' : 'A'
      expect(await reason(text.slice(0, at) + other + text.slice(at + 1)), String(at)).toContain(
        'cut or changed',
      )
    }
  })
})

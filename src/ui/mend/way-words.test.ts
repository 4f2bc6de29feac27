import { describe, expect, it } from 'vitest'
import type { Modelled } from '../../state/mend-typed'
import { alike, linesWords, modelWords } from './way-words'

const took = (tookMs: number | null, steps = 8): Modelled => ({
  source: '',
  stop: null,
  isUnknown: false,
  tookMs,
  steps,
  busy: null,
  run: null,
})

const TIMED = { language: 'javascript', isTimedOnModel: true } as const

describe('what differs from the lab’s own', () => {
  it.each([
    [{ added: 9, gone: 1 }, '9 lines are its own, and 1 line of the lab’s own is gone.'],
    [{ added: 1, gone: 0 }, '1 line is its own.'],
    [{ added: 0, gone: 2 }, '2 lines of the lab’s own are gone.'],
  ])('in lines: %j', (count, words) => {
    expect(linesWords(count)).toBe(words)
  })

  it.each([
    [took(1.12), took(1), 'On the model a step takes 12 % longer than in the lab’s own.'],
    [took(0.5, 0), took(1, 0), 'On the model a call takes 50 % less than in the lab’s own.'],
    [took(2.76), took(1), 'On the model a step takes 2.76 times as long as in the lab’s own.'],
    [took(1.004), took(1), 'On the model a step takes as long as in the lab’s own, within 1 %.'],
  ])('in time', (way, own, words) => {
    expect(modelWords(TIMED, way, own)).toBe(words)
  })

  it('not in time where one has none', () => {
    expect(modelWords(TIMED, took(null), took(1))).toBeNull()
    expect(modelWords(TIMED, took(1), took(null))).toBeNull()
  })

  it('or says in a sentence why there is no strip', () => {
    const said = (way: Partial<Modelled>, timed: Parameters<typeof modelWords>[0] = TIMED) =>
      modelWords(timed, { ...took(1), ...way }, took(1))
    expect(said({ stop: { reason: 'threw', text: 'It threw.', line: 2 } })).toBe(
      'No strip: on the model it stopped. It threw.',
    )
    expect(said({ isUnknown: true })).toContain('a kernel of its own')
    expect(said({}, { language: 'wgsl', isTimedOnModel: false })).toContain('a kernel of its own')
    expect(said({}, { ...TIMED, isTimedOnModel: false })).toContain('gets no device')
    expect(modelWords(TIMED, undefined, took(1))).toBeNull()
  })

  it('by the step where all have as many, else by the call', () => {
    const times = (all: readonly Modelled[]) => alike(all).map(({ tookMs, steps }) => [tookMs, steps])
    expect(times([took(2), took(3)])).toEqual([
      [2, 8],
      [3, 8],
    ])
    expect(times([took(2), took(3, 1), took(5, 0), took(null)])).toEqual([
      [16, 0],
      [3, 0],
      [5, 0],
      [null, 0],
    ])
  })
})

/** Chooses the variants of a run that are drawn. strips/excerpt.test.ts says how. */
import { describe, expect, it } from 'vitest'
import { FakeRun } from '../experiments/testing/fake-evidence'
import { endedState } from '../site/state/run-store'
import { NO_RUN } from '../site/state/run-store'
import { planBefore, excerptOf } from './of-run'

const MS = 1e6
const plan = (...variants: string[]) => ({
  variants,
  steps: 2,
  isSteady: false,
  staging: false,
  figure: '',
  words: '',
})

/** Each variant measured in one repeat of 5 ms, and in a warm-up before it. */
function runOf(measured: readonly string[], onlyWarmedUp: readonly string[] = []) {
  const run = new FakeRun()
  for (const [index, variant] of [...onlyWarmedUp, ...measured].entries())
    for (const repeat of onlyWarmedUp.includes(variant) ? [-1] : [-1, 0]) {
      const at = (index * 2 + repeat + 1) * 10
      run.builder.addSpan({
        lane: 0,
        kind: 'window',
        name: 'window',
        start: at * MS,
        end: (at + 5) * MS,
        variant,
        repeat,
      })
      run.host('submit', 'submit', variant, repeat, at, at + 1).pass(variant, repeat, 0, at + 1, at + 3)
    }
  return endedState('lessons/l/first', { trace: run.builder.freeze(), report: null })
}
const drawn = (...[run, wanted]: [ReturnType<typeof runOf>, ReturnType<typeof plan>]) =>
  excerptOf(run, wanted)?.strips.map(({ variant }) => variant)

describe('the variants of an excerpt', () => {
  it('are those of the plan that were measured, in the plan’s order', () =>
    expect(drawn(runOf(['a', 'b', 'c']), plan('c', 'x', 'a'))).toEqual(['c', 'a']))

  it('are not those that only warmed up', () =>
    expect(drawn(runOf(['a'], ['b']), plan('b', 'a'))).toEqual(['a']))

  it('of a run without any of them are all, or the first, the middle and the last', () => {
    expect(drawn(runOf(['a', 'b', 'c']), plan('x'))).toEqual(['a', 'b', 'c'])
    expect(drawn(runOf(['a', 'b', 'c', 'd', 'e']), plan('x'))).toEqual(['a', 'c', 'e'])
    expect(drawn(runOf(['a', 'b', 'c', 'd']), plan())).toEqual(['a', 'c', 'd'])
  })

  it('are the same of the run before, or those that stand for them there; none of a run that has none', () => {
    const before = (after: readonly string[], wanted: ReturnType<typeof plan>, of = (each: string) => each) =>
      planBefore(runOf(['a', 'b']), runOf(after), wanted, of)?.variants
    expect(before(['b', 'c'], plan('b', 'c'))).toEqual(['b'])
    expect(before(['b', 'c'], plan('x'))).toEqual(['b'])
    expect(before(['c'], plan('c'))).toBeUndefined()
    expect(before(['c'], plan('c'), () => 'a')).toEqual(['a'])
  })

  it('there is none of a run without spans, nor before one', () => {
    expect(excerptOf(NO_RUN, plan('a'))).toBeNull()
    expect(excerptOf(runOf([]), plan('a'))).toBeNull()
  })
})

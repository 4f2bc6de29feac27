import { describe, expect, it } from 'vitest'
import { evidenceWith, programReport, programRun } from '../../../exercises/testing/evidence'
import type { Check, Plan } from '../../../exercises/types'
import { rules } from './checks'

type Where = (n: number, machine: object) => unknown
const programs = import.meta.glob<Where>('./{start,reference}.js', { import: 'default', eager: true })
const programOf = (name: 'start' | 'reference'): Where => {
  const found = programs[`./${name}.js`]
  if (!found) throw new Error(`no ${name}`)
  return found
}

/**
 * An H200 and 8 threads, as in public/recordings/worth-it.hdl.gz: n, then median, low and high of
 * the CPU and of a round trip, ms.
 */
const H200: readonly (readonly number[])[] = [
  [36, 0.083, 0.072, 0.088, 2.3, 0.66, 2.45],
  [68, 0.138, 0.125, 0.195, 2.97, 0.65, 2.99],
  [132, 0.3, 0.288, 0.327, 3.02, 2.5, 3.2],
  [196, 0.65, 0.642, 0.725, 3.21, 2.72, 3.46],
  [260, 1.04, 0.95, 1.12, 3.42, 2.94, 4.31],
  [388, 2.46, 2.05, 2.69, 3.65, 3.51, 3.91],
  [516, 4.54, 4.1, 4.95, 4.34, 4.23, 4.85],
  [772, 13.8, 11.9, 14.2, 6.63, 6.5, 7.99],
  [1028, 28.6, 25.5, 30, 10.3, 9.9, 12.1],
  [1540, 87.1, 81.7, 101, 18.5, 18.2, 18.9],
]
const planOf = (rows: readonly (readonly number[])[], hasLibrary = 1): Plan => {
  return {
    cpuGflops: 59,
    gpuGflops: 30_000,
    uploadGBps: 2.9,
    downloadGBps: 0.86,
    roundTripMs: 2.5,
    sizes: rows.map(([n = NaN]) => n),
    cpuMs: rows.flatMap(([, ms = NaN, low = NaN, high = NaN]) => [low, ms, high]),
    gpuMs: rows.flatMap(([, , , , ms = NaN, low = NaN, high = NaN]) => [low, ms, high]),
    hasLibrary,
  }
}
const CPU_WINS = planOf([
  [36, 0.1, 0.1, 0.1, 9, 8, 10],
  [300, 2, 2, 2, 90, 80, 100],
])

const answersOf = (where: Where, plan: Plan): readonly unknown[] =>
  (plan['sizes'] as readonly number[]).map((n) => where(n, plan))
const report = (output: unknown, plan: Plan) =>
  programReport([programRun({ name: 'asked', output })], { plan })
function judge(output: unknown, plan: Plan, answersAt?: readonly number[]): readonly Check[] {
  const yours = report(output, plan)
  const checks = rules.checks({ ...evidenceWith({ yours }), ...(answersAt && { answersAt }) })
  expect(checks.map(({ id }) => id)).toEqual(['output', 'regret'])
  return checks
}
const outcomes = (checks: readonly Check[]) => checks.map(({ outcome }) => outcome)
const places = (place: string, plan: Plan) => (plan['sizes'] as readonly number[]).map(() => place)

describe('on an H200', () => {
  const plan = planOf(H200)

  it('the unchanged program sends matrices to the GPU that are too small for it', () => {
    const [output, regret] = judge(answersOf(programOf('start'), plan), plan)
    expect(output?.outcome).toBe('yes')
    expect(regret?.outcome).toBe('no')
    expect(regret?.text).toMatch(
      /^Over 10 sizes from 36 to 1540, your choices took \d\.\d times the time of the better ones on average; 10 % is allowed. Most at n = 68: you chose 'gpu'; the CPU takes 0.14 ms, the GPU 3.0 ms.$/,
    )
  })

  it('the lab’s own passes', () => {
    const [output, regret] = judge(answersOf(programOf('reference'), plan), plan)
    expect(output).toEqual({
      id: 'output',
      outcome: 'yes',
      text: 'Your function answered for 10 sizes that it had not seen.',
    })
    expect(regret?.outcome).toBe('yes')
    expect(regret?.text).toMatch(
      /took 0 % more time than the better ones on average. 'cpu' for every size takes \d+ % more time than the better ones, 'gpu' for every size takes \d\.\d times the time of the better ones.$/,
    )
  })

  it('a choice between times that overlap costs nothing', () => {
    const near = planOf(H200.slice(6, 7))
    for (const place of ['cpu', 'gpu']) expect(rules.figure.of(report(places(place, near), near))).toBe(0)
  })

  it('names the line of the answer where it is known', () => {
    const at = (output: unknown, lines: readonly number[]) =>
      judge(output, plan, lines).map(({ text }) => text)
    expect(at(answersOf(programOf('start'), plan), [9])[1]).toContain(
      "you chose 'gpu' (line 9); the CPU takes",
    )
    expect(at(['CPU'], [9, 12])[0]).toContain("returned 'CPU' (lines 9, 12); the answers")
  })
})

describe('where the CPU is faster at every size', () => {
  it('a rule cannot be distinguished from a constant', () => {
    const [, regret] = judge(answersOf(programOf('reference'), CPU_WINS), CPU_WINS)
    expect(regret).toEqual({
      id: 'regret',
      outcome: 'cannot-tell',
      text: "Over 2 sizes from 36 to 300, your choices took 0 % more time than the better ones on average. But 'cpu' for every size takes 0 % more: this machine cannot tell your rule from that.",
    })
  })
  it('a wrong choice is wrong all the same', () =>
    expect(outcomes(judge(places('gpu', CPU_WINS), CPU_WINS))).toEqual(['yes', 'no']))
})

describe('answers', () => {
  const plan = planOf(H200)
  it.each([
    [['CPU'], "'CPU'"],
    [[undefined], 'nothing'],
    [[{}], 'an object'],
    [[1], '1'],
    [[null], 'null'],
    [null, 'nothing'],
    ['cpu', 'nothing'],
  ])('%j are none', (output, words) => {
    const [first, regret] = judge(output, plan)
    expect(first).toEqual({
      id: 'output',
      outcome: 'no',
      text: `For n = 36 your function returned ${words}; the answers are 'cpu' and 'gpu'.`,
    })
    expect(regret?.outcome).toBe('no')
  })
  it('are judged with a note where the CPU had no library', () => {
    const slow = planOf(H200, 0)
    for (const answers of [places('gpu', slow), answersOf(programOf('reference'), slow)])
      expect(judge(answers, slow)[1]?.text).toContain(
        'The CPU’s side was plain JavaScript here: its library did not load.',
      )
  })
  it('have a figure, unless one is missing', () => {
    expect(rules.figure.of(report(answersOf(programOf('reference'), plan), plan))).toBe(0)
    expect(rules.figure.of(report(['cpu'], plan))).toBeNull()
  })
})

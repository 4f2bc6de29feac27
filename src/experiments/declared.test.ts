/** What must hold of every declared experiment: its texts name what it measures, its rules can all be reached, the last always holds. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experiments as inNode } from '../../cli/catalog'
import { bannedWord, proseFault } from '../lessons/testing/check-prose'
import { fakeQuote } from '../lessons/testing/fake-quote'
import type { Metric, Report } from '../trace/report'
import { sampleReport } from '../trace/testing/sample-report'
import { experiments } from './testing/catalog'
import { judge, type Declaration, type Facts } from './declare'
import { explain } from './testing/explain'
import { IS_LONG } from '../testing/long'
import { seeded } from '../testing/seeded'
import { passageOf } from '../text/card'
import { holds } from '../text/condition'
import type { Figure } from '../text/figure'
import { figuresIn } from '../text/recorded'
import { conditionsIn, leavesOf, partsOf, quotesIn } from '../text/testing/quotes-in'
import { met, unmet } from '../text/testing/unmet'
import { unitOfName } from '../text/units'
import type { Text } from '../text/template'
import type { Param, ParamValues } from './experiment'

const declared = experiments

const defaultsOf = ({ params }: Declaration): ParamValues =>
  Object.fromEntries(params.map((param) => [param.name, param.default]))

/** All values that a text may depend on: every option of every list at once, and each option of each choice. */
function settingsOf(declaration: Declaration): readonly ParamValues[] {
  const whole = Object.fromEntries(
    declaration.params.map((param) => [
      param.name,
      param.type === 'list' ? param.options.map(({ value }) => value) : param.default,
    ]),
  )
  const choices = declaration.params.flatMap((param) =>
    param.type === 'choice' ? param.options.map(({ value }) => ({ ...whole, [param.name]: value })) : [],
  )
  const presets = declaration.presets.map(({ values }) => ({ ...defaultsOf(declaration), ...values }))
  return [whole, defaultsOf(declaration), ...choices, ...presets]
}
const variantsOf = (declaration: Declaration): ReadonlySet<string> =>
  new Set(
    settingsOf(declaration).flatMap((values) => declaration.metricKeys(values).map(({ variant }) => variant)),
  )

/** What its rules ask for. */
function writtenIn({ rules }: Declaration) {
  const texts = rules.flatMap(({ text, explain: cards }) =>
    [text, ...passageOf(cards)].filter((part): part is Text => typeof part !== 'object' || !('rows' in part)),
  )
  return {
    quotes: texts.flatMap(quotesIn),
    conditions: [...rules.map(({ when }) => when), ...texts.flatMap(conditionsIn)],
  }
}
const figuresOf = (declaration: Declaration): readonly Figure[] => {
  const { quotes, conditions } = writtenIn(declaration)
  return [
    ...conditions.flatMap(figuresIn),
    ...quotes.flatMap((quoted) => ('figure' in quoted ? [quoted.figure] : [])),
  ]
}

/** Facts with metrics of any size, measured or not, their intervals narrow or wide: near the bounds that the rules compare with. */
function factsFor(declaration: Declaration): fc.Arbitrary<Facts & Pick<Report, 'validity' | 'verification'>> {
  const bounds = writtenIn(declaration)
    .conditions.flatMap(partsOf)
    .flatMap((condition) =>
      'bound' in condition && condition.bound.is === 'number' ? [condition.bound.value] : [],
    )
  const sizes = [
    ...new Set([
      0,
      0.01,
      0.6,
      1,
      1.05,
      3,
      40,
      5000,
      ...bounds.flatMap((bound) => [bound * 0.8, bound * 1.2]),
    ]),
  ]
  const measured = fc.record({
    value: fc.option(fc.constantFrom(...sizes), { freq: 12 }),
    spread: fc.constantFrom(0, 0, 0.02, 0.9),
  })
  const isOfInterest = interestOf(declaration)
  return fc.constantFrom(...settingsOf(declaration)).chain((params) => {
    const keys = declaration.metricKeys(params).filter(({ name }) => isOfInterest(name))
    const derivedNames = derivedIn(declaration)
    return fc
      .record({
        metrics: fc.array(measured, { minLength: keys.length, maxLength: keys.length }),
        derived: fc.array(fc.constantFrom(...sizes), {
          minLength: derivedNames.length,
          maxLength: derivedNames.length,
        }),
        isSoftware: fc.boolean(),
      })
      .map(({ metrics, derived, isSoftware }) => ({
        params,
        derived: Object.fromEntries(derivedNames.map((name, index) => [name, derived[index] ?? 0])),
        environment: { ...sampleReport.environment, isSoftware },
        validity: { valid: true, reasons: [] },
        verification: { ...sampleReport.verification, checked: 1, failed: 0 },
        metrics: keys.map(({ name, variant }, index): Metric => {
          const { value = null, spread = 0 } = metrics[index] ?? {}
          return {
            name,
            variant,
            value,
            unit: unitOfName(name) ?? 'ratio',
            low: value === null ? null : value * (1 - spread),
            high: value === null ? null : value * (1 + spread),
            n: 5,
            origin: 'derived',
          }
        }),
      }))
  })
}
/** Metrics and facts that texts and conditions name. */
const factsNamed = (declaration: Declaration) => figuresOf(declaration).flatMap(leavesOf)
/** What the run worked out, as far as the rules compare or quote it. */
const derivedIn = (declaration: Declaration): readonly string[] => [
  ...new Set(
    factsNamed(declaration).flatMap((each) =>
      each.is === 'fact' && each.from === 'derived' ? [each.name] : [],
    ),
  ),
]
/** Metrics that no text or condition names change nothing. */
function interestOf(declaration: Declaration): (name: string) => boolean {
  const names = new Set(factsNamed(declaration).flatMap((each) => (each.is === 'metric' ? [each.name] : [])))
  return (name) => names.has(name)
}

const firstRule = (declaration: Declaration, facts: Facts) =>
  declaration.rules.find(({ when }) => holds(when, facts, declaration.names(facts)))

/** How far facts are from a rule's deciding: it holds, and none before it. */
function distance(declaration: Declaration, at: number, facts: Facts): number {
  const names = declaration.names(facts)
  const [own, ...before] = declaration.rules.slice(0, at + 1).toReversed()
  return before.reduce(
    (far, { when }) => far + met(when, facts, names),
    own ? unmet(own.when, facts, names) : 0,
  )
}

/** Steps of a search from one beginning, and how many beginnings there are. */
const STEPS = 600
const BEGINNINGS = 20
/** How often a figure is taken away: some rules are about a run that has few. */
const ABSENT = 0.25
const NOT_MEASURED = { value: null, low: null, high: null }

/**
 * Facts closer and closer to a rule's deciding, from those of `pool` that are closest: one fact at a time is replaced by one of the pool's.
 * @returns the least distance; 0 where the rule is reached
 */
function led(declaration: Declaration, at: number, pool: readonly Facts[]): number {
  const far = (facts: Facts) => distance(declaration, at, facts)
  const next = seeded(at)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T // never empty
  const other = (facts: Facts): Facts => {
    const donor = pick(pool)
    const places = facts.metrics.length + Object.keys(facts.derived).length + 1
    const place = Math.floor(next() * places)
    if (place < facts.metrics.length && donor.metrics.length > 0) {
      const { value, low, high } = next() < ABSENT ? NOT_MEASURED : pick(donor.metrics)
      return {
        ...facts,
        metrics: facts.metrics.with(place, { ...facts.metrics[place], value, low, high } as Metric),
      }
    }
    const name = Object.keys(facts.derived)[place - facts.metrics.length]
    return name === undefined
      ? { ...facts, environment: donor.environment }
      : { ...facts, derived: { ...facts.derived, [name]: pick(Object.values(donor.derived)) } }
  }
  let least = Infinity
  const beginnings = pool.map((facts) => ({ facts, left: far(facts) })).toSorted((a, b) => a.left - b.left)
  for (let { facts, left } of beginnings.slice(0, BEGINNINGS)) {
    for (let step = 0; step < STEPS && left > 0; step += 1) {
      const tried = other(facts)
      const after = far(tried)
      if (after <= left) [facts, left] = [tried, after]
    }
    least = Math.min(least, left)
    if (least === 0) break
  }
  return least
}

it('are in the catalog, and in that of Node with the same rules', () => {
  expect(declared.map(({ id }) => id)).toEqual(expect.arrayContaining(['async-submission', 'sync-stalls']))
  const rulesOf = (all: readonly Declaration[]) => all.map(({ id, rules }) => ({ id, rules }))
  expect(rulesOf(inNode)).toEqual(rulesOf(declared))
})

describe.each(declared.map((each) => [each.id, each] as const))('%s', (_, declaration) => {
  const { quotes, conditions } = writtenIn(declaration)
  const params = new Map<string, Param>(declaration.params.map((param) => [param.name, param]))

  it('names in its texts and conditions only metrics, variants, names and parameters that it declares', () => {
    const metrics = new Set(declaration.metrics.map(({ name }) => name))
    const variants = variantsOf(declaration)
    const names = new Set(
      settingsOf(declaration).flatMap((values) =>
        Object.keys(
          declaration.names({
            params: values,
            derived: {},
            metrics: [],
            environment: sampleReport.environment,
          }),
        ),
      ),
    )
    for (const quoted of quotes) if ('word' in quoted) expect(names).toContain(quoted.word)
    for (const each of factsNamed(declaration)) {
      if (each.is === 'metric') {
        expect(metrics).toContain(each.name)
        if (each.variant.startsWith('$')) expect(names).toContain(each.variant.slice(1))
        else expect(variants).toContain(each.variant)
      }
      if (each.is === 'fact' && each.from === 'param') expect([...params.keys()]).toContain(each.name)
    }
    for (const condition of conditions.flatMap(partsOf)) {
      if (condition.op !== 'param') continue
      const param = params.get(condition.name)
      expect(param, condition.name).toBeDefined()
      if (param?.type !== 'choice') continue
      expect(param.options.map((option) => option.value)).toContain(condition.value)
    }
  })

  it('has a reason of its own for each rule, and one that always holds at the end', () => {
    const reasons = declaration.rules.map(({ reason }) => reason)
    expect(new Set(reasons).size).toBe(reasons.length)
    expect(reasons).not.toContain('run-invalid')
    for (const reason of reasons) expect(reason).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(declaration.rules.at(-1)?.when).toEqual({ op: 'always' })
  })

  it('reaches every rule', () => {
    const pool = fc.sample(factsFor(declaration), { numRuns: 300, seed: 0 })
    const reached = new Set(pool.map((facts) => firstRule(declaration, facts)))
    for (const [at, rule] of declaration.rules.entries()) {
      if (reached.has(rule)) continue
      expect(led(declaration, at, pool), rule.reason).toBe(0)
    }
  })

  it('has a verdict in whole sentences whatever was measured, and quotes nothing that was not', () => {
    fc.assert(
      fc.property(factsFor(declaration), (facts) => {
        const verdict = judge(declaration, facts)
        expect(verdict.text).not.toMatch(/^$|[{}$]|\b(NaN|undefined|null|Infinity)\b|not measured/)
        expect(verdict.text).toMatch(/[.]$/)
        // It is drawn and printed as it stands.
        expect(verdict.text).not.toMatch(/\*\*|\[\[|`/)
        const report: Report = {
          ...sampleReport,
          ...facts,
          environment: { ...sampleReport.environment, ...facts.environment },
          verdict,
        }
        const quote = fakeQuote(report)
        const paragraphs = explain(declaration, quote)
        expect(paragraphs.length).toBeGreaterThan(0)
        for (const paragraph of paragraphs) {
          expect(paragraph).not.toMatch(/[{}$]|\b(NaN|undefined|null|Infinity)\b|not measured/)
          expect(proseFault(paragraph), paragraph).toBeNull()
          expect(bannedWord(paragraph), paragraph).toBeNull()
        }
      }),
      { numRuns: IS_LONG ? 300 : 60 },
    )
  })

  it('calls no run shown that does not count', () => {
    for (const facts of fc.sample(factsFor(declaration), { numRuns: 200, seed: 1 })) {
      const failed = { ...facts.verification, failed: 1 }
      const unchecked = { ...facts.verification, checked: 0 }
      for (const bad of [
        { validity: { valid: false, reasons: ['The tab was hidden during the run.'] } },
        { verification: failed },
        { verification: unchecked },
      ])
        expect(judge(declaration, { ...facts, ...bad })).toMatchObject({
          outcome: 'invalid',
          reason: 'run-invalid',
        })
    }
  })
})

/**
 * Checks every declared experiment: its texts name what it measures, its rules can all be reached,
 * the last always holds.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experiments as inNode } from '../../cli/catalog'
import { bannedWord, proseFault } from '../lessons/testing/check-prose'
import type { Metric, Report } from '../trace/report'
import { sampleReport } from '../trace/testing/sample-report'
import { experiments } from './testing/catalog'
import { judge } from './declare/judge'
import type { Declaration } from './declare/experiment'
import type { Facts } from '../text/facts'
import { explain } from './testing/explained-by'
import { IS_LONG } from '../testing/long'
import { passageOf } from '../text/card'
import { holds } from '../text/condition'
import { type Figure, unitOfName } from '../text/figure'
import { figuresIn } from '../text/recorded'
import { conditionsIn, leavesOf, partsOf, quotesIn } from '../text/testing/all-words'
import type { Text } from '../text/template'
import type { Param, ParamValues } from './experiment'
import { forAllOf } from '../testing/for-all'
import { existsSync } from 'node:fs'
import { matmulKernels } from '../gpu/kernels/catalog'
import { matmulSources, shared } from './shared-params'

const declared = experiments

const defaultsOf = ({ params }: Declaration): ParamValues =>
  Object.fromEntries(params.map((param) => [param.name, param.default]))

/**
 * All values that a text may depend on: every option of every list at once, and each option of each
 * choice.
 */
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
  return [whole, defaultsOf(declaration), ...choices, { ...defaultsOf(declaration), ...declaration.short }]
}
const variantsOf = (declaration: Declaration): ReadonlySet<string> =>
  new Set(
    settingsOf(declaration).flatMap((values) => declaration.metricKeys(values).map(({ variant }) => variant)),
  )

/** Names that the rules ask for. */
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

/**
 * Facts with metrics of any size, measured or not, their intervals narrow or wide: near the bounds
 * that the rules compare with.
 */
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
      0.3,
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
/** Facts that the run worked out, as far as the rules compare or quote them. */
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

it('are in the catalog, and in that of Node with the same parameters', () => {
  expect(declared.map(({ id }) => id)).toEqual(expect.arrayContaining(['async-submission', 'sync-stalls']))
  expect(inNode.map(({ id, params }) => ({ id, params }))).toEqual(
    declared.map(({ id, params }) => ({ id, params })),
  )
})

it('say on what machine a run was', () => {
  const [declaration] = declared
  if (!declaration) throw new Error('There is no experiment.')
  const said = (over: Partial<Report> = {}, isSoftware = false, origin: 'live' | 'recorded' = 'live') => {
    const environment = { ...sampleReport.environment, isSoftware, adapterName: 'a card' }
    return explain(declaration, { report: { ...sampleReport, environment, ...over }, origin }).join('\n')
  }
  expect(said()).not.toMatch(/software|recorded on|no device timestamps/)
  expect(said({}, true)).toContain('This adapter runs WebGPU on the CPU')
  expect(said({}, false, 'recorded')).toContain('recorded on a card')
  expect(said({ clock: { ...sampleReport.clock, state: 'no-timestamps' } })).toContain('no device timestamps')
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
    const missing = new Set(declaration.rules)
    for (let seed = 0; seed < 40 && missing.size > 0; seed += 1)
      for (const facts of fc.sample(factsFor(declaration), { numRuns: 300, seed })) {
        const rule = firstRule(declaration, facts)
        if (rule) missing.delete(rule)
      }
    expect([...missing].map(({ reason }) => reason)).toEqual([])
  })

  it('has a verdict in whole sentences whatever was measured, and quotes nothing that was not', () => {
    forAllOf(IS_LONG ? 300 : 60)(factsFor(declaration), (facts) => {
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
      const paragraphs = explain(declaration, { report, origin: 'live' })
      expect(paragraphs.length).toBeGreaterThan(0)
      for (const paragraph of paragraphs) {
        expect(paragraph).not.toMatch(/[{}$]|\b(NaN|undefined|null|Infinity)\b|not measured/)
        expect(proseFault(paragraph), paragraph).toBeNull()
        expect(bannedWord(paragraph), paragraph).toBeNull()
      }
    })
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
    for (const bad of [
      { validity: { valid: false, reasons: [] } },
      { verification: { ...sampleReport.verification, failed: 1 } },
    ]) {
      const report = { ...sampleReport, ...bad }
      const verdict = judge(declaration, report)
      const text = explain(declaration, { report: { ...report, verdict }, origin: 'live' }).join('\n')
      expect(text).not.toContain('⟨')
      expect(text).toContain('does not count')
    }
  })
})

describe('the kernels of matmul', () => {
  /** The ladder has no kernels for shapes of their own. */
  const ladder = matmulKernels.filter(({ id }) => !['direct', 'vector-matrix', 'specialised'].includes(id))

  it('offers the kernels of the ladder, in its order', () => {
    expect(shared.kernel.options.map(({ value }) => value)).toEqual(ladder.map(({ id }) => id))
    expect(ladder.map(({ id }) => id)).toContain(shared.kernel.default)
  })

  it('names the WGSL of every kernel, and only files that there are', () => {
    for (const { id } of ladder) expect(matmulSources).toContain(`shaders/matmul/${id}.wgsl`)
    for (const file of matmulSources) expect(existsSync(file), file).toBe(true)
  })
})

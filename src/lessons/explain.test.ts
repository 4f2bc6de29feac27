/** Explanations: words for every verdict, on every machine, and no sentence that breaks on a missing figure or quotes one not measured. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IS_LONG } from '../testing/long'
import { experimentLessons } from './testing/catalog'
import { bannedWord, proseFault } from './testing/check-prose'
import { explained, metaOf, reasonsOf } from './testing/explained'
import { ADAPTER_NAME, variantsOf, VERDICT_TEXT, type FakeOptions } from './testing/fake-quote'

const BROKEN = /\b(NaN|undefined|null|Infinity)\b|\[object|not measured/

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))(
  '%s: its explanation',
  (_, lesson) => {
    const meta = metaOf(lesson)
    const every = reasonsOf(lesson)
    const machines: readonly Partial<FakeOptions>[] = [
      {},
      { environment: { isSoftware: true } },
      { environment: { deviceClockStepNs: 65_536, hostClockStepUs: 100, completionLatencyMs: 103 } },
      { environment: { deviceClockStepNs: null, completionLatencyMs: null }, clock: 'no-timestamps' },
      { clock: 'infeasible', valid: false },
      { failed: 2 },
      { origin: 'recorded' },
    ]
    const alternatives = lesson.steps.flatMap(({ action }) => (action ? [action.values] : [{}]))

    /** In short each machine with the lesson's own values, and each step's values on the first. */
    const settings = machines.flatMap((machine, at) =>
      alternatives
        .filter((_, step) => IS_LONG || at === 0 || step === 0)
        .map((values) => ({ machine, values })),
    )

    it('reads well for every reason, with every figure and with none', () => {
      for (const reason of [...every, 'a-reason-of-tomorrow'])
        for (const outcome of ['shown', 'not-shown', 'inconclusive', 'invalid'] as const)
          for (const { machine, values } of settings)
            for (const value of [() => 0.5, () => null]) {
              const { text } = explained(lesson, {
                reason,
                outcome,
                value,
                values,
                ...machine,
                ...(outcome === 'invalid' ? { valid: false } : {}),
              })
              expect(text).not.toMatch(BROKEN)
              expect(bannedWord(text), text).toBeNull()
              for (const paragraph of text.split('\n')) expect(proseFault(paragraph), paragraph).toBeNull()
            }
    })

    it('has words of its own for every reason', () => {
      const value = () => 0.5
      const texts = every.map((reason) => explained(lesson, { reason, value }).text)
      expect(new Set(texts).size).toBe(every.length)
      for (const text of texts) expect(text).not.toContain(VERDICT_TEXT)
    })

    it('quotes only metrics and variants that exist, and the headline among them', () => {
      const names = new Set(meta.metrics.map(({ name }) => name))
      const variants = variantsOf(meta, lesson.values)
      const asked = new Set<string>()
      for (const reason of every) {
        const { quote } = explained(lesson, { reason, value: () => 0.5 })
        for (const key of quote.asked) {
          asked.add(key)
          const [name = '', variant = ''] = key.split(' ')
          expect(names, `${reason} asks for ${key}`).toContain(name)
          expect(variants, `${reason} asks for ${key}`).toContain(variant)
        }
      }
      const { name, variant } = lesson.prediction.metric
      // A factor beside its two figures is their quotient; then the rules decide by the headline's.
      const rules = JSON.stringify(meta.rules)
      expect(asked.has(`${name} ${variant}`) || rules.includes(`"${name}"`)).toBe(true)
    })

    it('never quotes a figure that was not measured, whichever those are', () => {
      const keys = variantsOf(meta, lesson.values).flatMap((variant) =>
        meta.metrics.map(({ name }) => `${name} ${variant}`),
      )
      const value = fc.oneof(
        fc.constant(null),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
      )
      fc.assert(
        fc.property(
          fc.constantFrom(...every),
          fc.array(value, { minLength: keys.length, maxLength: keys.length }),
          (reason, values) => {
            const byKey = new Map(keys.map((key, index) => [key, values[index] ?? null]))
            const { text } = explained(lesson, {
              reason,
              value: (name, variant) => byKey.get(`${name} ${variant}`) ?? null,
            })
            expect(text).not.toMatch(BROKEN)
            for (const [, key = ''] of text.matchAll(/⟨([^⟩]+)⟩/g))
              expect(Number.isFinite(byKey.get(key) ?? Number.NaN), key).toBe(true)
          },
        ),
        { numRuns: 200 },
      )
    })

    it('concludes nothing from an invalid or a wrong run', () => {
      for (const bad of [{ valid: false }, { failed: 1 }]) {
        const { text } = explained(lesson, { reason: every[0] ?? '', value: () => 0.5, ...bad })
        expect(text).not.toContain('⟨')
        expect(text).toMatch(/does not count|were wrong/)
      }
    })

    it('says so where the device is software, the figures are recorded, or timestamps are missing', () => {
      const [reason = ''] = every
      const value = () => 0.5
      const plain = explained(lesson, { reason, value }).text
      expect(plain).not.toMatch(/software|recorded on|no device timestamps/)
      const software = explained(lesson, { reason, value, environment: { isSoftware: true } }).text
      expect(software).toContain('This adapter runs WebGPU on the CPU')
      const recorded = explained(lesson, { reason, value, origin: 'recorded' }).text
      expect(recorded).toContain(`recorded on ${ADAPTER_NAME}`)
      expect(recorded, "a recorded machine is not the reader's").not.toMatch(/\byour (device|host|GPU)\b/i)
      expect(explained(lesson, { reason, value, clock: 'no-timestamps' }).text).toContain(
        'no device timestamps',
      )
    })
  },
)

/** Lessons as data: whatever they name must exist, whatever they ask must be answered, and no sentence may break on a missing figure. */
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findExperiment } from '../experiments/catalog'
import { parseParams, type ExperimentMeta } from '../experiments/experiment'
import { kernelParam } from '../experiments/shared-params'
import { findLesson, lessons } from './catalog'
import { misconceptions, type CudaFigures, type CudaQuote, type Lesson, type Quote } from './lesson'
import { method } from './method'
import { bannedWord, proseFault } from './testing/check-prose'
import {
  ADAPTER_NAME,
  fakeQuote,
  fakeReport,
  quoted,
  variantsOf,
  VERDICT_TEXT,
  type FakeOptions,
} from './testing/fake-quote'

/** Verdict reasons that each experiment gives. A new one needs its branch in the lesson's explain.ts. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'async-submission': [
    'host-runs-ahead',
    'kernel-too-short',
    'submit-blocked',
    'no-difference',
    'intervals-overlap',
  ],
  'sync-stalls': [
    'stall-dominates',
    'stall-hidden-by-long-kernel',
    'metadata-is-free',
    'host-bound',
    'intervals-overlap',
  ],
  'overlapped-uploads': [
    'overlap',
    'cores-shared',
    'nothing-to-hide',
    'no-overlap',
    'partial-overlap',
    'intervals-overlap',
  ],
  'kernel-ladder': [
    'transfers-take-over',
    'kernel-dominates',
    'ladder-climbs',
    'ladder-flat',
    'intervals-overlap',
    'nothing-to-compare',
  ],
  'worth-it': [
    'rule-misses-latency',
    'rule-holds',
    'rule-undecided',
    'rule-misses',
    'rule-unknown',
    'gpu-always-wins',
    'cpu-always-wins',
    'sizes-too-small',
    'intervals-overlap',
    'nothing-to-compare',
  ],
}

function metaOf(lesson: Lesson): ExperimentMeta {
  const meta = findExperiment(lesson.experiment)
  if (!meta) throw new Error(`Lesson ${lesson.id} names an experiment that does not exist.`)
  return meta
}

const explained = (
  lesson: Lesson,
  options: FakeOptions,
): { text: string; quote: Quote & { asked: Set<string> } } => {
  const quote = fakeQuote(fakeReport(lesson, metaOf(lesson), options), options.origin)
  return { text: lesson.explain(quote).join('\n'), quote }
}

/** Every piece of prose of a lesson that does not depend on a run, with where it stands. */
function wordsOf(lesson: Lesson): readonly (readonly [where: string, text: string])[] {
  const list = (where: string, prose: readonly string[]) => prose.map((text) => [where, text] as const)
  return [
    ...list('intro', lesson.intro),
    ...list('carriesOver', lesson.carriesOver),
    ...list('cannot', lesson.cannot),
    ...list('cuda', [
      ...(lesson.cuda?.intro ?? []),
      ...(lesson.cuda?.profiles ?? []).map(({ does }) => does),
    ]),
    ...lesson.steps.flatMap((step) => [
      ...list(`step ${step.id}`, step.text),
      ...list(`step ${step.id}, look for`, step.lookFor ?? []),
    ]),
    ...lesson.quiz.flatMap((item) => [
      ...list(`quiz ${item.id}`, [item.question]),
      ...item.options.flatMap((option) => list(`quiz ${item.id}`, [option.text, option.explanation])),
    ]),
    ...list(
      'try next',
      lesson.tryNext.map(({ why }) => why),
    ),
  ]
}

/** Words that are shown as they are, without markup. */
const plainWordsOf = (lesson: Lesson): readonly string[] => [
  lesson.title,
  lesson.question,
  lesson.measures,
  lesson.prediction.question,
  ...lesson.prediction.ends,
  ...lesson.steps.flatMap((step) => [step.heading, ...(step.action ? [step.action.label] : [])]),
  ...lesson.tryNext.map(({ label }) => label),
  ...lesson.code.map(({ title }) => title),
  ...lesson.sources.map(({ label }) => label),
]

const BROKEN = /\b(NaN|undefined|null|Infinity)\b|\[object|not measured/

describe('the catalog', () => {
  it('is in order, with ids that find their lesson', () => {
    expect(lessons.map(({ number }) => number)).toEqual(lessons.map((_, index) => index + 1))
    expect(new Set(lessons.map(({ id }) => id)).size).toBe(lessons.length)
    for (const lesson of lessons) expect(findLesson(lesson.id)).toBe(lesson)
    expect(findLesson('no-such-lesson')).toBeUndefined()
  })
})

describe.each(lessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  const meta = metaOf(lesson)

  it('names only parameters and values that its experiment takes', () => {
    const sets = [
      lesson.values,
      ...lesson.steps.flatMap(({ action }) => (action ? [action.values] : [])),
      ...lesson.tryNext.map(({ values }) => values),
    ]
    for (const values of sets) {
      expect(parseParams(meta, { ...lesson.values, ...values })).toMatchObject({ ok: true })
      expect(parseParams(meta, values)).toMatchObject({ ok: true })
    }
  })

  it('turns one dial a step, and turns it away from where it stands', () => {
    for (const { action } of lesson.steps) {
      if (!action?.dial) continue
      expect(Object.keys(action.values)).toEqual([action.dial])
      expect(action.values[action.dial]).not.toEqual(lesson.values[action.dial])
    }
    const [first] = lesson.steps
    expect(first?.action, 'the first step runs the lesson as it stands').toMatchObject({
      run: true,
      values: {},
    })
    for (const { label, values } of lesson.tryNext)
      for (const [name, value] of Object.entries(values))
        expect(value, `'${label}' changes nothing of ${name}`).not.toEqual(lesson.values[name])
  })

  it('asks for a prediction of a metric that its own run reports, from a start inside the slider', () => {
    const { metric, min, max, step, start, scale } = lesson.prediction
    expect(meta.metrics.map(({ name }) => name)).toContain(metric.name)
    expect(variantsOf(meta.id, lesson.values)).toContain(metric.variant)
    expect(start).toBeGreaterThan(min)
    expect(start).toBeLessThan(max)
    expect((max - min) / step).toBeCloseTo(Math.round((max - min) / step))
    expect(scale).toBeGreaterThan(0)
  })

  it('asks at least three why-questions, each with one right option and every option explained', () => {
    expect(lesson.quiz.length).toBeGreaterThanOrEqual(3)
    for (const { id, question, options } of lesson.quiz) {
      expect(question, id).toMatch(/\bwhy\b/i)
      expect(options.length, id).toBeGreaterThanOrEqual(3)
      expect(options.filter(({ correct }) => correct).length, id).toBe(1)
      expect(new Set(options.map(({ text }) => text)).size, id).toBe(options.length)
      for (const { explanation, correct, misconception } of options) {
        expect(explanation.length, id).toBeGreaterThan(60)
        if (misconception !== undefined) expect(correct, `${id}: a misconception is never right`).toBe(false)
      }
    }
    expect(new Set(lesson.quiz.map(({ id }) => id)).size).toBe(lesson.quiz.length)
  })

  it('does not give the right option away by its place or its length', () => {
    const places = lesson.quiz.map(({ options }) => options.findIndex(({ correct }) => correct))
    expect(new Set(places).size).toBeGreaterThan(1)
    const rightIsLongest = lesson.quiz.filter(({ options }) => {
      const lengths = options.map(({ text }) => text.length)
      return lengths[options.findIndex(({ correct }) => correct)] === Math.max(...lengths)
    })
    expect(rightIsLongest.length).toBeLessThanOrEqual(lesson.quiz.length / 3)
  })

  it('has balanced markup and no empty words', () => {
    for (const [where, text] of wordsOf(lesson)) {
      expect(proseFault(text), `${where}: ${text}`).toBeNull()
      expect(bannedWord(text), `${where}: ${text}`).toBeNull()
    }
    for (const text of plainWordsOf(lesson)) {
      expect(text, 'plain words carry no markup').not.toMatch(/[`*[\]]/)
      expect(bannedWord(text), text).toBeNull()
    }
  })

  it('gives https sources, each once', () => {
    expect(lesson.sources.length).toBeGreaterThanOrEqual(4)
    for (const { url } of lesson.sources) expect(new URL(url).protocol).toBe('https:')
    expect(new Set(lesson.sources.map(({ url }) => url)).size).toBe(lesson.sources.length)
  })

  describe('its explanation', () => {
    const every = reasons[lesson.experiment] ?? []
    const outcomes = ['shown', 'not-shown', 'inconclusive'] as const
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

    it('reads well for every reason, with every figure and with none', () => {
      for (const reason of [...every, 'a-reason-of-tomorrow'])
        for (const outcome of outcomes)
          for (const machine of machines)
            for (const values of alternatives)
              for (const value of [() => 0.5, () => null]) {
                const { text } = explained(lesson, { reason, outcome, value, values, ...machine })
                expect(text).not.toMatch(BROKEN)
                expect(bannedWord(text), text).toBeNull()
                for (const paragraph of text.split('\n')) expect(proseFault(paragraph), paragraph).toBeNull()
              }
    })

    it('has words of its own for every reason', () => {
      const value = () => 0.5
      const fallback = explained(lesson, { reason: 'a-reason-of-tomorrow', value }).text
      expect(fallback).toContain(VERDICT_TEXT)
      const texts = every.map((reason) => explained(lesson, { reason, value }).text)
      expect(new Set([...texts, fallback]).size).toBe(every.length + 1)
      for (const text of texts) expect(text).not.toContain(VERDICT_TEXT)
    })

    it('quotes only metrics and variants that exist, and the headline among them', () => {
      const names = new Set(meta.metrics.map(({ name }) => name))
      const variants =
        /^(queued|await-each|never|every-step|every-\d+|compute-only|upload-only|serial|ring-\d+|(cpu|round-trip|resident)-\d+|round-trip|resident|upload|readback|latency)$/
      const rungs = kernelParam.options.map(({ value }) => value)
      const laddered = (variant: string) =>
        ['', 'fma-peak', 'stream-copy', 'transfers-only'].includes(variant) ||
        rungs.includes(variant.replace('+transfers', ''))
      for (const reason of every) {
        const { quote } = explained(lesson, { reason, value: () => 0.5 })
        for (const key of quote.asked) {
          const [name = '', variant = ''] = key.split(' ')
          expect(names, `${reason} asks for ${key}`).toContain(name)
          if (lesson.experiment === 'kernel-ladder') expect(laddered(variant), key).toBe(true)
          else expect(variant, `${reason} asks for ${key}`).toMatch(variants)
        }
      }
      const [first = ''] = every
      const { quote } = explained(lesson, { reason: first, value: () => 0.5 })
      const { name, variant } = lesson.prediction.metric
      expect(quote.asked).toContain(`${name} ${variant}`)
    })

    it('never quotes a figure that was not measured, whichever those are', () => {
      const keys = variantsOf(meta.id, lesson.values).flatMap((variant) =>
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
      expect(software).toContain(`${ADAPTER_NAME} carries out WebGPU on the processor`)
      const recorded = explained(lesson, { reason, value, origin: 'recorded' }).text
      expect(recorded).toContain(`recorded on ${ADAPTER_NAME}`)
      expect(recorded, "a recorded machine is not the reader's").not.toMatch(/\byour (device|host|GPU)\b/i)
      expect(explained(lesson, { reason, value, clock: 'no-timestamps' }).text).toContain(
        'no device timestamps',
      )
    })
  })
})

describe('the verdicts of the experiments', () => {
  it.each(Object.entries(reasons))('%s gives the reasons that its lesson has branches for', (id, known) => {
    const source = readFileSync(new URL(`../experiments/${id}/metrics.ts`, import.meta.url), 'utf8')
    const given = [...source.matchAll(/\breason:([^,\n]+)/g)].flatMap(([, expression = '']) =>
      [...expression.matchAll(/'([a-z-]+)'/g)].map(([, reason = '']) => reason),
    )
    expect([...new Set(given)].toSorted()).toEqual([...known].toSorted())
  })
})

describe('what the intervals allow', () => {
  const [submission, stalls, uploads] = lessons as readonly [Lesson, Lesson, Lesson]
  /** As named, else 1; intervals of ±40 %, so that 1 and 1.5 overlap and 1 and 9 do not. */
  const steps = (byVariant: Record<string, number>): Pick<FakeOptions, 'value' | 'spread'> => ({
    value: (name, variant) => (name === 'step-ms' ? (byVariant[variant] ?? 1) : 1),
    spread: 0.4,
  })

  it('awaiting each step costs time only where the intervals are apart', () => {
    const reason = 'host-runs-ahead'
    expect(explained(submission, { reason, ...steps({ 'await-each': 9 }) }).text).toContain(
      'made a step take',
    )
    expect(explained(submission, { reason, ...steps({ 'await-each': 1.5 }) }).text).toContain('overlap')
    expect(explained(submission, { reason, ...steps({ queued: 9 }) }).text).toContain('shorter when')
  })

  it('a kernel ran later, not slower, unless its own time says otherwise', () => {
    const kernel = (every: number): Pick<FakeOptions, 'value' | 'spread'> => ({
      value: (name, variant) => (name === 'kernel-ms' && variant === 'every-step' ? every : 1),
      spread: 0.1,
    })
    const reason = 'stall-dominates'
    expect(explained(stalls, { reason, ...kernel(1) }).text).toContain('it ran later')
    expect(explained(stalls, { reason, ...kernel(3) }).text).toContain('took longer too')
    expect(explained(stalls, { reason, ...kernel(0.2) }).text).toContain('took less time')
  })

  it('does not speak of a spread where there was nothing to compare', () => {
    const reason = 'intervals-overlap'
    const only = explained(stalls, { reason, value: () => 1, values: { every: ['never'] } })
    expect(only.text).toBe(VERDICT_TEXT)
    const nothing = explained(uploads, { reason, value: () => null })
    expect(nothing.text).toBe(VERDICT_TEXT)
  })

  it('never blames the shape', () => {
    const { text } = explained(stalls, { reason: 'host-bound', value: () => 0.5, values: { read: 'shape' } })
    expect(text).toContain('The shape cannot be the cause')
  })

  it('falls back on the variant that reads most often among those run', () => {
    const { text } = explained(stalls, {
      reason: 'stall-dominates',
      value: () => 0.5,
      values: { every: ['never', 'every-16', 'every-64'] },
    })
    expect(text).toContain(quoted('device-busy-ratio', 'every-16'))
    expect(text).toContain(quoted('step-ms', 'every-64'))
    expect(text).not.toContain('every-step')
  })

  it('a ring of one gains nothing, or something, as measured', () => {
    const reason = 'overlap'
    const alike = explained(uploads, { reason, ...steps({}) }).text
    expect(alike).toContain('gained nothing that can be told from serial')
    const split = explained(uploads, {
      reason,
      ...steps({ serial: 9 }),
      values: { submission: 'split' },
    }).text
    expect(split).toContain('Even a ring of one beat serial')
  })

  it('says that serial took more than the sum only where it did', () => {
    const reason = 'overlap'
    const sum = (serial: number) => explained(uploads, { reason, ...steps({ serial }) }).text
    expect(sum(9)).toContain('more than the sum')
    expect(sum(2)).not.toContain('more than the sum')
  })

  it('names the ring it speaks of, also where only deep ones were run', () => {
    const { text } = explained(uploads, { reason: 'overlap', value: () => 1, values: { rings: ['4'] } })
    expect(text).toContain('a ring of 4')
    expect(text).not.toContain('ring-2')
  })
})

describe('the CUDA side', () => {
  const withCuda = lessons.flatMap((lesson) =>
    lesson.cuda ? [[lesson.id, lesson, lesson.cuda] as const] : [],
  )
  const figure = (value: number | null): CudaFigures => ({
    kernelRatio: value,
    busyRatio: value,
    stepMs: value,
  })
  const cudaQuote = (value: number | null | undefined): CudaQuote => ({
    get: () => (value === undefined ? undefined : figure(value)),
    say: (profile, name) => (value == null ? 'not read' : `⟨cuda ${profile} ${name}⟩`),
  })

  it('is there in the three lessons that have twins in PyTorch', () => {
    expect(withCuda.map(([id]) => id)).toEqual(['async-submission', 'sync-stalls', 'overlapped-uploads'])
  })

  it.each(withCuda)('%s names profiles, a script and twins that exist', (_, lesson, cuda) => {
    expect(existsSync(new URL(`../../public/companion/${cuda.script}`, import.meta.url))).toBe(true)
    expect(new Set(cuda.profiles.map(({ id }) => id)).size).toBe(cuda.profiles.length)
    for (const { id, file, twin } of cuda.profiles) {
      expect(existsSync(new URL(`../../public/recordings/${file}`, import.meta.url)), file).toBe(true)
      expect(id).not.toMatch(/[`*[\]]/)
      if (twin !== null) expect(variantsOf(lesson.experiment, lesson.values)).toContain(twin)
    }
  })

  it.each(withCuda)('%s compares whatever was measured, and says so where nothing was', (_, lesson, cuda) => {
    const reason = reasons[lesson.experiment]?.[0] ?? ''
    const own = (value: number | null, more: Partial<FakeOptions> = {}) =>
      fakeQuote(fakeReport(lesson, metaOf(lesson), { reason, value: () => value, ...more }), more.origin)
    const texts = new Map<string, string>()
    for (const [cudaName, value] of [
      ['read', 0.5],
      ['not read', undefined],
      ['null', null],
    ] as const)
      for (const [ownName, mine] of [
        ['no run', null],
        ['lower', own(0.1)],
        ['higher', own(0.9)],
        ['alike', own(0.5)],
        ['unmeasured', own(null)],
        ['invalid', own(0.1, { valid: false })],
        ['wrong', own(0.1, { failed: 1 })],
        ['recorded', own(0.1, { origin: 'recorded' })],
      ] as const) {
        const paragraphs = cuda.compared(cudaQuote(value), mine)
        for (const text of paragraphs) {
          expect(text).not.toMatch(/\b(NaN|undefined|null|Infinity)\b|\[object|not read/)
          expect(bannedWord(text), text).toBeNull()
          expect(proseFault(text), text).toBeNull()
        }
        texts.set(`${cudaName}, ${ownName}`, paragraphs.join('\n'))
      }
    const quotesOwn = (name: string) => /⟨(?!cuda)/.test(texts.get(name) ?? '')
    for (const name of ['lower', 'higher', 'alike', 'recorded'])
      expect(quotesOwn(`read, ${name}`), name).toBe(true)
    for (const name of ['no run', 'unmeasured', 'invalid', 'wrong'])
      expect(quotesOwn(`read, ${name}`), name).toBe(false)
    expect(
      new Set(
        ['no run', 'lower', 'higher', 'alike', 'unmeasured', 'invalid'].map((name) =>
          texts.get(`read, ${name}`),
        ),
      ).size,
    ).toBe(6)
    expect(texts.get('read, recorded')).toContain(ADAPTER_NAME)
    expect(texts.get('read, recorded')).not.toMatch(/\byour (device|GPU)\b/)
    expect(texts.get('not read, lower')).not.toContain('⟨')
  })
})

describe('worth-it', () => {
  const lesson = findLesson('worth-it')
  if (!lesson) throw new Error('there is a lesson worth-it')
  const withDerived = (derived: Readonly<Record<string, string | number>>) => {
    const report = fakeReport(lesson, metaOf(lesson), { reason: 'rule-holds', value: () => 0.5 })
    return lesson.explain(fakeQuote({ ...report, derived })).join('\n')
  }

  it('says against which processor the device was measured, and where that was a poor one', () => {
    const good = { processorLibrary: 'a library', processorThreads: 8, processorNote: '', sizesLeftOut: '' }
    expect(withDerived(good)).toContain('with a library, on 8 threads')
    expect(withDerived(good)).not.toContain('too low')
    const poor = withDerived({
      ...good,
      processorThreads: 1,
      processorNote: 'plain code',
      sizesLeftOut: '1536 2048',
    })
    expect(poor).toContain('one thread')
    expect(poor).toContain('plain code), so every crossover here lies too low')
    expect(poor).toContain('n = 1536, 2048')
  })

  it('speaks of the size that was asked about, or of the next one that was run', () => {
    const text = (sizes: readonly string[]) =>
      explained(lesson, { reason: 'rule-holds', value: () => 0.5, values: { sizes } }).text
    expect(text(['64', '128', '512'])).toContain(quoted('kernel-share', 'round-trip-128'))
    expect(text(['64', '512', '1024'])).toContain(quoted('kernel-share', 'round-trip-512'))
    expect(text(['32', '64'])).toContain(quoted('kernel-share', 'round-trip-64'))
  })
})

describe('kernel-ladder', () => {
  const lesson = findLesson('kernel-ladder')
  if (!lesson) throw new Error('there is a lesson kernel-ladder')
  /** Kernel times by rung; everything else 1, intervals of ±10 %. */
  const kernels = (byRung: Record<string, number>, more: Partial<FakeOptions> = {}): string =>
    explained(lesson, {
      reason: 'transfers-take-over',
      value: (name, variant) => (name === 'kernel-ms' ? (byRung[variant] ?? 1) : 1),
      spread: 0.1,
      ...more,
    }).text

  it('speaks of the fastest rung, whichever it is', () => {
    expect(kernels({ naive: 9, tiled: 0.5 })).toContain(`**tiled** took ${quoted('kernel-ms', 'tiled')}`)
    expect(kernels({ naive: 0.5 })).toContain('No kernel was faster than the first, **naive**')
  })

  it('names rungs that went backwards, only where the intervals are apart, and why on software', () => {
    const slower = { naive: 1, coalesced: 1, tiled: 5, 'register-blocked': 1 }
    expect(kernels(slower)).toContain('**tiled** took')
    expect(kernels(slower)).toContain('longer than the rung before it, **coalesced**')
    expect(kernels(slower)).not.toContain('On a software adapter that is normal')
    expect(kernels(slower, { environment: { isSoftware: true } })).toContain(
      'On a software adapter that is normal',
    )
    expect(kernels({ tiled: 1.1 })).not.toContain('longer than the rung before it')
  })

  it('says what was left out', () => {
    const report = fakeReport(lesson, metaOf(lesson), { reason: 'ladder-climbs', value: () => 0.5 })
    const derived = { leftOut: 'subgroups: it needs a feature.' }
    expect(lesson.explain(fakeQuote({ ...report, derived })).join('\n')).toContain('subgroups: it needs')
  })
})

describe('the quizzes as a whole', () => {
  it('meet most of the misconceptions seen in the wild', () => {
    const met = new Set(
      lessons.flatMap(({ quiz }) =>
        quiz.flatMap(({ options }) => options.flatMap(({ misconception }) => misconception ?? [])),
      ),
    )
    for (const key of met) expect(Object.keys(misconceptions)).toContain(key)
    expect([...met].toSorted()).toEqual(['M1', 'M2', 'M3', 'M4', 'M6', 'M7', 'M8'])
  })
})

describe('the method page', () => {
  it('has sections with ids of their own and sound prose', () => {
    expect(new Set(method.map(({ id }) => id)).size).toBe(method.length)
    for (const { id, heading, text } of method) {
      expect(heading, id).not.toMatch(/[`*[\]]/)
      expect(text.length, id).toBeGreaterThan(0)
      for (const paragraph of text) {
        expect(proseFault(paragraph), `${id}: ${paragraph}`).toBeNull()
        expect(bannedWord(paragraph), `${id}: ${paragraph}`).toBeNull()
      }
    }
  })
})

describe('the checks themselves', () => {
  it.each([
    ['`open', 'unbalanced `'],
    ['*open', 'unbalanced *'],
    ['**half*', 'unbalanced *'],
    ['[[gpu:x]]', 'unknown colour key'],
    ['[text](http://insecure.example)', 'bracket'],
    ['[alone]', 'bracket'],
    [' blank', 'blanks'],
    ['', 'empty'],
  ])('find fault with %s', (text, fault) => {
    expect(proseFault(text)).toContain(fault)
  })

  it('accept what the page can render', () => {
    for (const text of ['`a * b[0]` and *this*', '**x** [[host:y]]', '[z](https://example.org/a#b)'])
      expect(proseFault(text)).toBeNull()
    expect(bannedWord('You simply run it.')).toBe('simply')
    expect(bannedWord('Run `a!`.')).toBeNull()
  })
})

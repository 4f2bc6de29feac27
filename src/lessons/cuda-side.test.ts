/** The CUDA side of a lesson: its files exist, and it compares whatever was measured. */
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experimentLessons } from './testing/catalog'
import type { CudaQuote } from './lesson'
import type { CudaFigures } from './recorded'
import { bannedWord, proseFault } from './testing/check-prose'
import { metaOf, reasonsOf } from './testing/explained'
import { ADAPTER_NAME, fakeQuote, fakeReport, variantsOf, type FakeOptions } from './testing/fake-quote'

describe('the CUDA side', () => {
  const withCuda = experimentLessons.flatMap((lesson) =>
    lesson.cuda ? [[lesson.id, lesson, lesson.cuda] as const] : [],
  )
  const figure = (value: number | null): CudaFigures => ({
    kernelRatio: value,
    busyRatio: value,
    stepMs: value,
    kernelMs: value,
    launchUs: value,
    hiddenCopyRatio: value,
  })
  const cudaQuote = (value: number | null | undefined): CudaQuote => ({
    get: () => (value === undefined ? undefined : figure(value)),
    say: (profile, name) => (value == null ? 'not read' : `⟨cuda ${profile} ${name}⟩`),
  })

  it('is there where a lesson has a cuda.ts', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('/cuda.ts'),
    )
    expect(withCuda.map(([id]) => `${id}/cuda.ts`).toSorted()).toEqual(files.toSorted())
    expect(withCuda.length).toBeGreaterThan(0)
  })

  it.each(withCuda)('%s names profiles, a script and twins that exist', (_, lesson, cuda) => {
    expect(existsSync(new URL(`../../public/companion/${cuda.script}`, import.meta.url))).toBe(true)
    expect(new Set(cuda.profiles.map(({ id }) => id)).size).toBe(cuda.profiles.length)
    for (const { id, file, twin } of cuda.profiles) {
      expect(existsSync(new URL(`../../public/recordings/${file}`, import.meta.url)), file).toBe(true)
      expect(id).not.toMatch(/[`*[\]]/)
      if (twin !== null) expect(variantsOf(metaOf(lesson), lesson.values)).toContain(twin)
    }
  })

  it.each(withCuda)('%s compares whatever was measured, and says so where nothing was', (_, lesson, cuda) => {
    const reason = reasonsOf(lesson)[0] ?? ''
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

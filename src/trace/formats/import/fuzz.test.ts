/**
 * Two thousand damaged files, in long ten thousand, from a fixed seed: none may throw or hang, each
 * gives a trace that every later reader can rely on, or a reason (testing/damage.ts).
 */
import { describe, expect, it } from 'vitest'
import { inShort, IS_LONG } from '../../../testing/long'
import { baseFiles, checkDamaged, damagedCase, type Fate } from '../testing/damage'

const CASES = IS_LONG ? 10_500 : 2100
const SEED = 20_261_121

describe('damaged files', () => {
  it(`${String(CASES)} of them: a trace to rely on, or a reason`, async () => {
    const bases = baseFiles()
    const fates: Record<Fate, number> = { read: 0, skipped: 0, refused: 0, 'too-large': 0 }
    const readOf = new Set<string>()
    for (let at = 0; at < CASES; at += 1) {
      const { base, content } = damagedCase(bases, SEED, at)
      try {
        const fate = await checkDamaged(base.wrap(content))
        fates[fate] += 1
        if (fate !== 'refused') readOf.add(base.name)
      } catch (thrown) {
        throw new Error(
          `case ${String(at)}, ${base.name}: ${JSON.stringify(new TextDecoder('latin1').decode(content))}`,
          { cause: thrown },
        )
      }
    }
    // The damage reaches every outcome, often, and of every base something could be read.
    expect(Math.min(fates.read, fates.skipped, fates.refused)).toBeGreaterThan(CASES / 20)
    expect(fates['too-large']).toBeGreaterThan(0)
    // A gzip stream that was damaged is read once in some thousand.
    const often = inShort(bases, ({ name }) => !name.endsWith('gzip damaged'))
    expect([...readOf]).toEqual(expect.arrayContaining(often.map(({ name }) => name)))
  })

  it('are sound before they are damaged', async () => {
    for (const { name, content, wrap } of baseFiles())
      expect(await checkDamaged(wrap(content)), name).toMatch(/^(read|skipped)$/)
  })
})

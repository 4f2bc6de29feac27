/**
 * Ten thousand damaged files and links, from a fixed seed: none may throw or hang, each gives a trace that every later reader can rely on,
 * or a reason (testing/damage.ts). And what the long runs of `npm run fuzz` ever found stays found: testing/found/.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { baseFiles, checkDamaged, damagedCase, reduced, type Fate } from '../testing/damage'

const CASES = 10_500
const SEED = 20_261_121
const FOUND = 'src/formats/testing/found'

describe('damaged files', () => {
  it(`${String(CASES)} of them: a trace to rely on, or a reason`, async () => {
    const bases = await baseFiles()
    const fates: Record<Fate, number> = { read: 0, skipped: 0, refused: 0, 'too-large': 0 }
    const readOf = new Set<string>()
    for (let at = 0; at < CASES; at += 1) {
      const { base, content } = damagedCase(bases, SEED, at)
      try {
        const fate = await checkDamaged(base.kind, base.wrap(content))
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
    // The letters of a link have a checksum; what is inside is damaged apart.
    const names = bases.map(({ name }) => name).filter((name) => name !== 'link')
    expect([...readOf].sort()).toEqual(names.sort())
  })

  it('are sound before they are damaged', async () => {
    for (const { name, kind, content, wrap } of await baseFiles())
      expect(await checkDamaged(kind, wrap(content)), name).toMatch(/^(read|skipped)$/)
  })

  it.each(readdirSync(FOUND).filter((name) => /\.(file|link)$/.test(name)))(
    'found once: %s',
    async (name) => {
      const bytes = new Uint8Array(readFileSync(`${FOUND}/${name}`))
      expect(await checkDamaged(name.endsWith('.link') ? 'link' : 'file', bytes)).toBeTruthy()
    },
  )

  it('are reduced to what it takes', async () => {
    const content = new TextEncoder().encode(`${'a'.repeat(300)}<${'b'.repeat(200)}>${'c'.repeat(100)}`)
    const small = await reduced(content, (smaller) =>
      Promise.resolve(/<.*>/.test(new TextDecoder().decode(smaller))),
    )
    expect(new TextDecoder().decode(small)).toBe('<>')
  })
})

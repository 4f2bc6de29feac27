/**
 * The rounds, driven over made-up libraries whose every product and every chain costs a known time.
 */
import { describe, expect, it } from 'vitest'
import { CommandError } from '../cli/terminal.mjs'
import { rowOf } from './matmul-results'
import { measureShape, type Driver } from './matmul-rounds'

const SHAPE = { m: 64, n: 64, k: 64 }

interface Fake {
  readonly productMs: number
  readonly unit?: number
  /** Throws at this step. */
  readonly failsAt?: 'prepare' | 'chain' | 'check'
  readonly lostAt?: number
}

function fakeDriver(fakes: Readonly<Record<string, Fake>>) {
  const calls: { readonly name: string; readonly products: number }[] = []
  const released: string[] = []
  const fake = (name: string): Fake => fakes[name] ?? { productMs: 1 }
  const act = <Value>(name: string, step: Fake['failsAt'], value: Value): Promise<Value> =>
    fake(name).failsAt === step ? Promise.reject(new Error(`${name} broke`)) : Promise.resolve(value)
  const driver: Driver = {
    prepare: (name) =>
      act(name, 'prepare', {
        kernel: `kernel of ${name}`,
        unit: fake(name).unit ?? 1,
      }),
    chain: (name, products) => {
      calls.push({ name, products })
      if (calls.length === fake(name).lostAt) return Promise.reject(new CommandError(`${name}: no answer`))
      const ms = 3 + products * fake(name).productMs
      return act(name, 'chain', { products, ms, enqueueMs: ms / 2, dispatches: products })
    },
    check: (name) => act(name, 'check', { checked: 64, failed: 0, maxRelativeError: 0, tolerance: 1 }),
    release: (name) => {
      released.push(name)
      return Promise.resolve()
    },
  }
  return { driver, calls, released }
}

const unheard = () => undefined

describe('rounds of a shape', () => {
  it('find the time of a product, from chains of a tenth of a second and three times that', async () => {
    const { driver } = fakeDriver({
      lab: { productMs: 0.01 },
      tfjs: { productMs: 0.5 },
      ort: { productMs: 0.02, unit: 16 },
    })
    const measured = await measureShape(driver, ['lab', 'tfjs', 'ort'], SHAPE, unheard)
    for (const [index, productMs] of [0.01, 0.5, 0.02].entries()) {
      const one = measured[index]
      const samplesMs = one ? (rowOf(one, SHAPE).samplesMs ?? []) : []
      expect(samplesMs).toHaveLength(9)
      for (const ms of samplesMs) expect(ms).toBeCloseTo(productMs, 9)
      const { short, long } = one?.rounds[0] ?? {}
      expect(short?.ms).toBeGreaterThan(50)
      expect(short?.ms).toBeLessThan(200)
      expect(long?.products).toBe(3 * (short?.products ?? 0))
    }
    expect(
      measured[2]?.rounds.every(({ short, long }) => short.products % 16 === 0 && long.products % 16 === 0),
    ).toBe(true)
  })

  it('are interleaved, begun by another library each, all with the same number', async () => {
    const { driver, calls } = fakeDriver({ a: { productMs: 1 }, b: { productMs: 2 }, c: { productMs: 3 } })
    const measured = await measureShape(driver, ['a', 'b', 'c'], SHAPE, unheard)
    expect(new Set(measured.map(({ rounds }) => rounds.length)).size).toBe(1)
    const rounds = measured[0]?.rounds.length ?? 0
    // Two chains of each library a round, side by side.
    const taken = calls.slice(calls.length - rounds * 6)
    const begun = Array.from({ length: rounds }, (_, at) => taken[at * 6]?.name)
    expect(begun.slice(0, 4)).toEqual(['a', 'b', 'c', 'a'])
    const longFirst = Array.from(
      { length: rounds },
      (_, at) => (taken[at * 6]?.products ?? 0) > (taken[at * 6 + 1]?.products ?? 0),
    )
    expect(longFirst.slice(0, 4)).toEqual([false, true, false, true])
  })

  it('have chains as short as they go for the slow', async () => {
    const { driver } = fakeDriver({ lab: { productMs: 2000, unit: 2 } })
    const [lab] = await measureShape(driver, ['lab'], SHAPE, unheard)
    expect(lab?.rounds[0]).toMatchObject({ short: { products: 2 }, long: { products: 6 } })
  })

  it.each(['prepare', 'chain', 'check'] as const)(
    'one that breaks at %s says why; the others go on',
    async (failsAt) => {
      const { driver, released } = fakeDriver({ bad: { productMs: 1, failsAt } })
      const [lab, bad] = await measureShape(driver, ['lab', 'bad'], SHAPE, unheard)
      expect(lab).toMatchObject({ check: { checked: 64 } })
      expect(lab?.rounds).toHaveLength(9)
      expect(lab).not.toHaveProperty('error')
      expect(bad).toMatchObject({ error: 'bad broke', check: null })
      expect(released).toEqual(['lab', 'bad'])
    },
  )

  it('end with a library that took its browser along', async () => {
    const { driver } = fakeDriver({ bad: { productMs: 1, lostAt: 20 } })
    await expect(measureShape(driver, ['lab', 'bad'], SHAPE, unheard)).rejects.toThrow('bad: no answer')
  })
})

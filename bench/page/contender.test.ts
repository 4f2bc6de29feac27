import { describe, expect, it } from 'vitest'
import { countDispatches } from './bench-page'
import { resultsAliveFor, ResultRing } from './contender'

describe('results that are kept', () => {
  it('are the newest, each given back once', () => {
    const disposed: number[] = []
    const ring = new ResultRing<number>(2, (result) => disposed.push(result))
    expect(() => ring.newest()).toThrow()
    for (const result of [1, 2, 3, 4]) ring.push(result)
    expect(disposed).toEqual([1, 2])
    expect(ring.newest()).toBe(4)
    ring.release()
    expect(disposed).toEqual([1, 2, 3, 4])
  })

  it('are as many as memory allows, two at least', () => {
    expect(resultsAliveFor({ m: 512, n: 512, k: 512 }, false)).toBe(16)
    expect(resultsAliveFor({ m: 4096, n: 4096, k: 1 }, false)).toBe(4)
    expect(resultsAliveFor({ m: 8192, n: 8192, k: 1 }, false)).toBe(2)
    expect(resultsAliveFor({ m: 1, n: 1, k: 1 }, true)).toBe(2)
  })
})

describe('the dispatch counter', () => {
  it('counts every call, and passes it on with its object and arguments', () => {
    const seen: unknown[] = []
    class Pass {
      dispatchWorkgroups(...args: number[]): void {
        seen.push(this, ...args)
      }
      dispatchWorkgroupsIndirect(): void {
        seen.push('indirect')
      }
    }
    const dispatchCount = countDispatches(Pass.prototype)
    const pass = new Pass()
    pass.dispatchWorkgroups(3, 2)
    pass.dispatchWorkgroupsIndirect()
    expect(seen).toEqual([pass, 3, 2, 'indirect'])
    expect(dispatchCount()).toBe(2)
  })

  it('refuses what has no such method: it would count nothing', () =>
    expect(() => countDispatches({})).toThrow(/dispatchWorkgroups/))
})

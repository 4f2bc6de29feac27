import { describe, expect, it } from 'vitest'
import { Scope, withScope } from './scope'

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

describe('Scope', () => {
  it('frees in reverse order, waiting for each', async () => {
    const freed: string[] = []
    const value = await withScope((scope) => {
      scope.own('first', (name) => void freed.push(name))
      scope.defer(async () => {
        await later()
        freed.push('second')
      })
      scope.own('third', (name) => void freed.push(name))
      return 42
    })
    expect(value).toBe(42)
    expect(freed).toEqual(['third', 'second', 'first'])
  })

  it('frees also when the body throws, and throws what the body threw', async () => {
    const freed: number[] = []
    const run = withScope((scope) => {
      scope.defer(() => void freed.push(1))
      scope.defer(() => {
        throw new Error('in the clean-up')
      })
      throw new Error('in the body')
    })
    await expect(run).rejects.toThrow('in the body')
    expect(freed).toEqual([1])
  })

  it('runs every clean-up whatever one throws, then throws the first', async () => {
    const freed: number[] = []
    const scope = new Scope()
    scope.defer(() => void freed.push(1))
    scope.defer(() => Promise.reject(new Error('second')))
    scope.defer(() => {
      throw new Error('first')
    })
    await expect(scope.close()).rejects.toThrow('first')
    expect(freed).toEqual([1])
  })

  it('frees once, and owns nothing after its end', async () => {
    let count = 0
    const scope = new Scope()
    scope.defer(() => void (count += 1))
    await scope.close()
    await scope.close()
    expect(count).toBe(1)
    expect(scope.isClosed).toBe(true)
    expect(() => {
      scope.defer(() => undefined)
    }).toThrow('closed')
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { browserDatabase } from './browser-database'

const plan = { name: 'test', version: 1, stores: ['runs'] }
const ask = (factory: () => IDBFactory | undefined) =>
  browserDatabase(plan, factory).access('readonly', ['runs'], (transaction) =>
    transaction.objectStore('runs').count(),
  )

/** What is said where the mere mention of IndexedDB throws. */
const problemOf = async (thrown: unknown) => {
  const answer = await ask(() => {
    throw thrown
  })
  return answer.ok ? null : answer.error
}

describe('a browser that keeps nothing is an answer with a reason', () => {
  it('without IndexedDB', async () => {
    expect(await ask(() => undefined)).toMatchObject({ ok: false, error: { kind: 'missing' } })
  })

  it('where the mere mention of it throws', async () => {
    const answer = await ask(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    expect(answer).toMatchObject({ ok: false, error: { kind: 'blocked' } })
    expect(answer).toMatchObject({ error: { detail: 'SecurityError: The operation is insecure.' } })
  })
})

it.each([
  ['QuotaExceededError', 'full'],
  ['SecurityError', 'blocked'],
  ['VersionError', 'newer'],
  ['TimeoutError', 'timeout'],
  ['UnknownError', 'failed'],
] as const)('%s means %s', async (name, kind) => {
  expect(await problemOf(new DOMException('why', name))).toMatchObject({ kind })
})

it('says something of whatever is thrown', async () => {
  for (const thrown of ['text', null, undefined, 7, new Error('')])
    expect(await problemOf(thrown)).not.toMatchObject({ detail: '' })
})

describe('a database that does not answer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** What `open` gives, and what the browser makes of it later. */
  function slowFactory() {
    const result = { close: vi.fn(), transaction: () => transaction, objectStoreNames: new Set(['runs']) }
    const opening = Object.assign(new EventTarget(), { result, error: null })
    const transaction = Object.assign(new EventTarget(), {
      abort: vi.fn(),
      objectStore: () => ({ count: () => ({ result: 3 }) }),
    })
    const factory = () => ({ open: () => opening }) as unknown as IDBFactory
    return {
      result,
      opening,
      transaction,
      factory,
      says: (type: string) => opening.dispatchEvent(new Event(type)),
    }
  }

  it('is given up, and closed if it opens after all', async () => {
    const { factory, says, result } = slowFactory()
    const answer = ask(factory)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await answer).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    says('success')
    expect(result.close).toHaveBeenCalledOnce()
  })

  it('may be blocked by another tab for a while', async () => {
    const { factory, says, transaction, result } = slowFactory()
    const answer = ask(factory)
    says('blocked')
    await vi.advanceTimersByTimeAsync(1000)
    says('success')
    await vi.advanceTimersByTimeAsync(0)
    transaction.dispatchEvent(new Event('complete'))
    expect(await answer).toEqual({ ok: true, value: 3 })
    expect(result.close).toHaveBeenCalledOnce()
  })

  it('is given up in the middle of a transaction too', async () => {
    const { factory, says, transaction, result } = slowFactory()
    const answer = ask(factory)
    says('success')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await answer).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    expect(transaction.abort).toHaveBeenCalledOnce()
    expect(result.close).toHaveBeenCalledOnce()
  })
})

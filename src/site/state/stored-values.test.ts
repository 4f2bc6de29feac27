import { beforeEach, expect, it, vi } from 'vitest'
import { storedValues } from './stored-values'

beforeEach(() => void vi.useFakeTimers())

/** The result of `open`, and what the browser makes of it later. */
function slowBrowser() {
  const transaction = Object.assign(new EventTarget(), {
    abort: vi.fn(),
    error: new DOMException('no room', 'QuotaExceededError'),
    objectStore: () => ({ put: () => ({ result: 'a' }), get: () => ({ result: 3 }) }),
  })
  const result = { close: vi.fn(), transaction: () => transaction }
  const opening = Object.assign(new EventTarget(), { result, error: null })
  const values = storedValues('test', () => ({ open: () => opening }) as unknown as IDBFactory)
  const open = async () => {
    opening.dispatchEvent(new Event('success'))
    await vi.advanceTimersByTimeAsync(0)
  }
  return { values, result, transaction, open }
}

it.each([
  ['has no IndexedDB', () => undefined],
  [
    'throws at the mere mention of it',
    () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  ],
])('a browser that %s keeps nothing', async (_, factory) => {
  const values = storedValues('test', factory)
  expect(await values.put('a', 1)).toBe(false)
  expect(await values.keys()).toEqual([])
  expect(await values.get('a')).toBeUndefined()
})

it('a database that does not open is given up, and closed if it opens after all', async () => {
  const { values, result, open } = slowBrowser()
  const got = values.get('a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await got).toBeUndefined()
  await open()
  expect(result.close).toHaveBeenCalledOnce()
})

it('one that another tab holds up for a while is waited for', async () => {
  const { values, result, transaction, open } = slowBrowser()
  const got = values.get('a')
  await vi.advanceTimersByTimeAsync(1000)
  await open()
  transaction.dispatchEvent(new Event('complete'))
  expect(await got).toBe(3)
  expect(result.close).toHaveBeenCalledOnce()
})

it('what is undone for want of room is not kept', async () => {
  const { values, result, transaction, open } = slowBrowser()
  const put = values.put('a', 1)
  await open()
  transaction.dispatchEvent(new Event('abort'))
  expect(await put).toBe(false)
  expect(result.close).toHaveBeenCalledOnce()
})

it('a transaction that does not end is given up', async () => {
  const { values, result, transaction, open } = slowBrowser()
  const put = values.put('a', 1)
  await open()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await put).toBe(false)
  expect(transaction.abort).toHaveBeenCalledOnce()
  expect(result.close).toHaveBeenCalledOnce()
})

import { describe, expect, it } from 'vitest'
import { browserDatabase, storageProblem } from './browser-database'

const plan = { name: 'test', version: 1, stores: ['runs'] }
const ask = (factory: () => IDBFactory | undefined) =>
  browserDatabase(plan, factory).access('readonly', ['runs'], (transaction) =>
    transaction.objectStore('runs').count(),
  )

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
  ['UnknownError', 'failed'],
] as const)('%s means %s', (name, kind) => {
  expect(storageProblem(new DOMException('why', name)).kind).toBe(kind)
})

it('says something of whatever is thrown', () => {
  for (const thrown of ['text', null, undefined, 7, new Error('')])
    expect(storageProblem(thrown).detail).not.toBe('')
})

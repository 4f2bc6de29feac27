import { beforeEach, expect, it, vi } from 'vitest'
import { withTimeout } from './with-timeout'

beforeEach(() => void vi.useFakeTimers())

it('is the promise, where it settles in time', async () => {
  expect(await withTimeout(Promise.resolve(3), 1000, 'It')).toBe(3)
  await expect(withTimeout(Promise.reject(new Error('no')), 1000, 'It')).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

it('is a fault, where it does not; what comes then can be closed', async () => {
  let give: (value: string) => void = () => undefined
  const late = vi.fn()
  const asked = withTimeout(new Promise<string>((resolve) => (give = resolve)), 30_000, 'The browser', late)
  const refused = expect(asked).rejects.toMatchObject({
    fault: { code: 'timeout', message: 'The browser did not answer within 30 s.' },
  })
  await vi.advanceTimersByTimeAsync(30_000)
  await refused
  expect(late).not.toHaveBeenCalled()
  give('a device')
  await vi.advanceTimersByTimeAsync(0)
  expect(late).toHaveBeenCalledExactlyOnceWith('a device')
})

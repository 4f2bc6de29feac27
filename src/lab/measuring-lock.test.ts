import { describe, expect, it } from 'vitest'
import { measuringLock } from './measuring-lock'

type Locks = NonNullable<Parameters<typeof measuringLock>[0]>
const refusing = (thrown: Error): Locks => ({ request: () => Promise.reject(thrown) })
const granting: Locks = {
  request: async (_: string, __: unknown, work: (lock: object) => unknown) => await work({}),
} as unknown as Locks
const options = () => ({ waiting: () => undefined, signal: new AbortController().signal })

describe('what runs in one tab at a time', () => {
  it('runs where no lock may be asked for: in a frame that may keep nothing', async () => {
    let ran = 0
    const work = () => Promise.resolve((ran += 1))
    const refused = new DOMException('The request was denied.', 'SecurityError')
    expect(await measuringLock(refusing(refused))(work, options())).toBe(1)
    expect(ran).toBe(1)
  })

  it('fails with what failed, and runs once', async () => {
    const broken = new Error('the manager broke')
    await expect(measuringLock(refusing(broken))(() => Promise.resolve(1), options())).rejects.toBe(broken)
    let ran = 0
    const own = new DOMException('of the work itself', 'SecurityError')
    const work = () => {
      ran += 1
      return Promise.reject(own)
    }
    await expect(measuringLock(granting)(work, options())).rejects.toBe(own)
    expect(ran).toBe(1)
  })
})

import { afterEach, expect, it, vi } from 'vitest'
import { openCpu } from './cpu'

afterEach(() => void vi.unstubAllGlobals())

const race = <T>(promise: Promise<T>): Promise<T> => promise

/** A worker that answers the first question with an 'error' event. */
function stubWorker(event: object): void {
  vi.stubGlobal(
    'Worker',
    class {
      onerror: ((event: object) => void) | null = null
      postMessage(): void {
        this.onerror?.({ preventDefault: () => undefined, ...event })
      }
    },
  )
}

it('says what the worker threw', async () => {
  stubWorker({ message: 'Uncaught RangeError: too much' })
  await expect(openCpu(race, 4)).rejects.toThrow('Uncaught RangeError: too much')
})

// HTML: a script that cannot be fetched fires an Event, which has no `message`.
it.each([
  ['a script that does not load', {}],
  ['no message', { message: '' }],
])('says that the worker did not start: %s', async (_, event) => {
  stubWorker(event)
  await expect(openCpu(race, 4)).rejects.toThrow('The worker for the CPU did not start.')
})

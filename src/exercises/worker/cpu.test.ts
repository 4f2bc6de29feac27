import { expect, it, vi } from 'vitest'
import { openCpu } from './cpu'

// HTML: a script that cannot be fetched fires an Event, which has no `message`.
it.each([
  ['what the worker threw', { message: 'Uncaught RangeError: too much' }, 'Uncaught RangeError: too much'],
  ['a script that does not load', {}, 'The worker for the CPU did not start: its script did not load'],
])('says that the worker did not start: %s', async (_, event, words) => {
  vi.stubGlobal(
    'Worker',
    class {
      onerror: ((event: object) => void) | null = null
      postMessage(): void {
        this.onerror?.({ preventDefault: () => undefined, ...event })
      }
    },
  )
  await expect(openCpu((promise) => promise, 4).time(1)).rejects.toThrow(words)
})

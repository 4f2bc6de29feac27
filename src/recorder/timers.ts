/**
 * Finds the submissions that a timer of the page made. The beginning of each such callback is a
 * sample of a counter, with the delay that the timer was set with. Whatever follows in the
 * callback’s task belongs to it.
 */
import { TIMER_SUBMITS } from '../trace/schema'
import type { SpanWriter } from './span-writer'
import { callOriginal, patchNamed, type PagePart } from './patches'

type Callback = (...args: readonly unknown[]) => unknown

export function timersOf(realm: object, writer: SpanWriter): PagePart {
  /** Start of the newest callback; -1: none was called. */
  let startNs = -1
  let delayNs = 0
  /** Submissions before the callback. */
  let before = 0
  const sample = (): void => {
    if (startNs < 0 || writer.submits === before || !writer.on) return
    before = writer.submits
    writer.sample(TIMER_SUBMITS, 'ns', startNs, delayNs)
  }
  const taskEnded = nextTask(sample)
  const began = (delayMs: number): void => {
    sample()
    startNs = writer.now()
    // An interval was set before all that the page awaited since.
    delayNs = Math.min(delayMs * 1e6, startNs)
    before = writer.submits
    taskEnded.ask()
  }
  const patches = ['setTimeout', 'setInterval'].flatMap((member) =>
    patchNamed({ prototype: ownerOf(realm, member) }, member, (original, self, args) => {
      const [callback, delay, ...others] = args
      if (typeof callback !== 'function') return callOriginal(original, self, args)
      const delayMs = member === 'setInterval' ? Infinity : typeof delay === 'number' ? delay : 0
      const called = function (this: unknown, ...given: readonly unknown[]): unknown {
        began(delayMs)
        return Reflect.apply(callback as Callback, this, given)
      }
      return callOriginal(original, self, [called, delay, ...others])
    }),
  )
  return {
    patches,
    end: () => {
      sample()
      taskEnded.end()
    },
  }
}

/** A window has timers of its own, a worker's are those of its prototype. */
function ownerOf(realm: object, member: string): object {
  for (let at: object | null = realm; at; at = Reflect.getPrototypeOf(at))
    if (Reflect.getOwnPropertyDescriptor(at, member)) return at
  return realm
}

/**
 * Runs something once in the event loop’s next task, however often it is asked for until then.
 * Timers would come up to 4 ms later.
 */
export function nextTask(run: () => void) {
  const { port1, port2 } = new MessageChannel()
  let isAsked = false
  port1.onmessage = () => {
    isAsked = false
    run()
  }
  return {
    ask: (): void => {
      if (!isAsked) port2.postMessage(null)
      isAsked = true
    },
    /** What was asked for and has not run does not run any more. */
    end: (): void => {
      port1.close()
    },
  }
}

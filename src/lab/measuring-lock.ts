/**
 * Two tabs that measure at once measure each other: what uses the device for its figures runs in
 * one tab of this site at a time (Web Locks, https://w3c.github.io/web-locks/). A tab that is
 * closed or crashes gives the lock back.
 */

/** Held while something is measured, in whichever tab. */
export const MEASURING_LOCK = 'host-device-lab:measuring'

interface WaitOptions {
  /** Called once, where another tab measures now. */
  readonly waiting: () => void
  /** Ends the wait with its reason; not the work. */
  readonly signal: AbortSignal
}
export type RunAlone = <T>(work: () => Promise<T>, options: WaitOptions) => Promise<T>

/**
 * Asking for a lock is refused where the visitor blocks site data, as for frames of other sites by
 * default.
 */
const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'SecurityError'

/**
 * Without locks (no secure context, no site data) at once: there this tab cannot know of others.
 */
export function measuringLock(locks: Pick<LockManager, 'request'> | undefined): RunAlone {
  return async (work, { waiting, signal }) => {
    if (!locks) return await work()
    const begun: true[] = []
    try {
      const first = await locks.request(MEASURING_LOCK, { ifAvailable: true }, async (lock) => {
        if (!lock) return null
        begun.push(true)
        return { value: await work() }
      })
      if (first) return first.value
    } catch (thrown) {
      if (begun.length > 0 || !isRefusal(thrown)) throw thrown
      return await work()
    }
    waiting()
    return await locks.request(MEASURING_LOCK, { signal }, work)
  }
}

/** Undefined where there are none: in Node, and outside secure contexts. */
export const webLocks = (): LockManager | undefined =>
  (globalThis.navigator as { readonly locks?: LockManager } | undefined)?.locks

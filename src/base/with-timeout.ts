/** An end to a wait whose other side may never answer: a browser, a driver, a worker. */
import { FaultError } from './fault'

/**
 * The promise, or a 'timeout' fault once `limitMs` have passed. What comes after that is given to
 * `late`, where there is something to close; its failure is nobody's.
 *
 * @param what as it stands in 'what did not answer within 30 s'
 */
export function withTimeout<T>(
  promise: Promise<T>,
  limitMs: number,
  what: string,
  late: (value: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(
        new FaultError({
          code: 'timeout',
          message: `${what} did not answer within ${String(limitMs / 1000)} s.`,
          hint: 'Try again; if it comes back, restart the browser.',
        }),
      )
    }, limitMs)
    promise.then(
      (value) => {
        clearTimeout(timer)
        if (isLate) late(value)
        else resolve(value)
      },
      (thrown: unknown) => {
        clearTimeout(timer)
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passed on as it came
        if (!isLate) reject(thrown)
      },
    )
  })
}

/** What is asked for first is done first, and ends before the next begins: work that writes to one store does not meet there. */
export function takeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // whoever asked is told; the next in turn is not held up
    return mine
  }
}

/** Runs work in the order asked, one piece at a time: two writes to one store never interleave. */
export function takeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // whoever asked is told; the next in turn is not held up
    return mine
  }
}

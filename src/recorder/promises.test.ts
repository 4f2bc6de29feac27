import { describe, expect, it } from 'vitest'
import { Gate } from './gate'
import { watchPromise } from './promises'

interface Deferred {
  readonly promise: Promise<number>
  readonly resolve: (value: number) => void
  readonly reject: (reason: Error) => void
}
function deferred(): Deferred {
  let resolve: (value: number) => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<number>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  return { promise, resolve, reject }
}

/** A watched promise and what its watcher sees, in order, among marks of the test's own. */
function watch(gate = new Gate(Promise)) {
  const log: string[] = []
  let waits = 0
  const { promise, resolve, reject } = deferred()
  const watched = watchPromise(promise, Promise, {
    gate,
    waits: () => {
      waits += 1
      log.push(`wait ${String(waits)}`)
      return waits
    },
    settled: (begin, fulfilled) =>
      void log.push(`${fulfilled ? 'settled' : 'rejected'} ${begin === null ? 'unawaited' : String(begin)}`),
  })
  return { watched, log, resolve, reject }
}

const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 0))

describe('a watched promise', () => {
  it('is the very promise that was given, of the class Promise', async () => {
    const { promise, resolve } = deferred()
    const watched = watchPromise(promise, Promise, { waits: () => null, settled: () => undefined })
    expect(watched).toBe(promise)
    expect(watched).toBeInstanceOf(Promise)
    expect(Object.keys(watched)).toEqual([])
    resolve(7)
    expect(await watched).toBe(7)
  })

  it('shares its functions with all others, each of which sees its own alone', async () => {
    const [one, other] = [watch(), watch()]
    expect(Reflect.getOwnPropertyDescriptor(one.watched, 'constructor')?.get).toBe(
      Reflect.getOwnPropertyDescriptor(other.watched, 'constructor')?.get,
    )
    // Of a promise that nobody watches, they are what the language has.
    // oxlint-disable-next-line typescript/unbound-method -- it is given another `this`
    expect(await Reflect.apply(one.watched.then, Promise.resolve(3), [String])).toBe('3')
    other.resolve(2)
    expect(await other.watched).toBe(2)
    expect([one.log, other.log]).toEqual([[], ['wait 1', 'settled 1']])
    // oxlint-disable-next-line unicorn/no-thenable -- a program that takes it off
    expect(Reflect.defineProperty(one.watched, 'then', { value: null })).toBe(false)
  })

  it('waits from the await, not from the call, and ends before the program goes on', async () => {
    const { watched, log, resolve } = watch()
    log.push('works')
    setTimeout(() => resolve(1), 0)
    await watched
    log.push('goes on')
    expect(log).toEqual(['works', 'wait 1', 'settled 1', 'goes on'])
  })

  it('that nobody awaits is no wait', async () => {
    const { log, resolve } = watch()
    resolve(1)
    await turn()
    expect(log).toEqual(['settled unawaited'])
  })

  it('that has settled before it is awaited is no wait', async () => {
    const { watched, log, resolve } = watch()
    resolve(1)
    await turn()
    expect(await watched).toBe(1)
    expect(log).toEqual(['settled unawaited'])
  })

  it('with callbacks is no wait; what they give may be awaited later', async () => {
    const { watched, log, resolve } = watch()
    const derived = watched.then((value) => value + 1)
    log.push('works')
    await turn()
    setTimeout(() => resolve(1), 0)
    expect(await derived).toBe(2)
    expect(log).toEqual(['works', 'wait 1', 'settled 1'])
  })

  it('of a page with callbacks is a wait, where nothing of WebGPU is called until they run', async () => {
    const idle = watch(new Gate(Promise, true))
    const after = idle.watched.then(() => undefined)
    idle.resolve(1)
    await turn()
    await after
    expect(idle.log).toEqual(['wait 1', 'settled 1'])
    const gate = new Gate(Promise, true)
    const busy = watch(gate)
    const later = busy.watched.then(() => undefined)
    gate.check()
    busy.resolve(1)
    await turn()
    await later
    expect(busy.log).toEqual(['wait 1', 'settled unawaited'])
  })

  it.each([
    ['catch()', (promise: Promise<number>) => promise.catch(() => 0)],
    ['finally()', (promise: Promise<number>) => promise.finally(() => undefined)],
    ['a bound function', (promise: Promise<number>) => promise.then(Number.prototype.valueOf.bind(5))],
  ])('with %s is no wait', async (_, use) => {
    const { watched, log, resolve } = watch()
    const derived = use(watched)
    resolve(1)
    await turn()
    expect(log).toEqual(['settled unawaited'])
    await derived
  })

  it.each([
    ['Promise.all()', (promise: Promise<number>) => Promise.all([promise, turn()])],
    ['Promise.race()', (promise: Promise<number>) => Promise.race([promise, new Promise(() => undefined)])],
    ['Promise.allSettled()', (promise: Promise<number>) => Promise.allSettled([promise])],
    ['return from an async function', (promise: Promise<number>) => (async () => promise)()],
    ['resolve()', (promise: Promise<number>) => new Promise((done) => { done(promise) })], // oxfmt-ignore
  ])('given to %s is a wait', async (_, use) => {
    const { watched, log, resolve } = watch()
    const outer = use(watched)
    await turn() // a thenable is read by a job of its own
    resolve(1)
    await outer
    expect(log.filter((line) => line.startsWith('wait')).length).toBeGreaterThan(0)
    expect(log.at(-1)).toMatch(/^settled \d/)
  })

  it('awaited twice waits from the later await: the program worked in between', async () => {
    const { watched, log, resolve } = watch()
    await Promise.race([watched, turn()])
    setTimeout(() => resolve(1), 0)
    await watched
    expect(log.at(-1)).toBe('settled 2')
    expect(await watched).toBe(1)
    expect(log.filter((line) => line.startsWith('settled'))).toHaveLength(1)
  })

  it('that rejects ends its wait, and the program catches the reason', async () => {
    const { watched, log, reject } = watch()
    setTimeout(() => reject(new Error('lost')), 0)
    await expect((async () => await watched)()).rejects.toThrow('lost')
    expect(log).toEqual(['wait 1', 'rejected 1'])
  })

  it('whose rejection nobody handles is still reported as unhandled, but for a program that was interrupted', async () => {
    const seen: unknown[] = []
    const listeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (reason) => seen.push(reason))
    try {
      const interrupted = new Gate(Promise)
      interrupted.wasInterrupted = true
      const unhandled = watch()
      unhandled.reject(new Error('nobody'))
      watch(interrupted).reject(new Error('interrupted'))
      const handled = watch()
      handled.watched.catch(() => undefined)
      handled.reject(new Error('somebody'))
      await turn()
      await turn()
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of listeners) process.on('unhandledRejection', listener)
    }
    expect(seen.map(String)).toEqual(['Error: nobody'])
  })
})

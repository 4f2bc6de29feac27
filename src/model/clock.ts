/**
 * Virtual time, ns, and whose turn it is. A host's time moves only by what its calls cost; all else
 * (the GPU process, timers) is an event at a time of its own. When the host's task has ended, the
 * next event is taken, and the earliest one that wakes the host begins its next task:
 *
 *     host     ▇▇ calls ▇▇                 ▇▇ calls ▇▇
 *     events              ·a   ·b   ·wakes
 *
 * A task has ended when one turn of the machine's own event loop has gone by without a call. No
 * time of that machine enters: the same program takes the same time, to the nanosecond, wherever it
 * is modelled.
 */
type Happening = (atNs: number) => void

interface Event {
  readonly atNs: number
  readonly happens: Happening
  /** Its callback is the host's: it runs no sooner than the host is free. */
  readonly isTask: boolean
  readonly isTimer: boolean
}

/**
 * A program that goes beyond these is ended: a loop that polls for ever makes calls, and one that
 * waits for ever lets time pass.
 */
const MOST_CALLS = 2_000_000
const LONGEST_NS = 300e9
/** A timer so far ahead watches over something; it is not what a program waits for. */
const WATCHES_FROM_NS = 1e9

export class ModelError extends Error {
  override readonly name = 'ModelError'
}

/** A turn of this machine's event loop, with whatever timers the program is given. */
const immediately = typeof setImmediate === 'function' ? setImmediate : turnsByMessage()

/** Taken now: a mend's program finds a global without channels, and the model still runs there. */
function turnsByMessage(): (turn: () => void) => void {
  const { port1, port2 } = new MessageChannel()
  const turns: (() => void)[] = []
  port1.onmessage = () => turns.shift()?.()
  return (turn) => {
    turns.push(turn)
    port2.postMessage(null)
  }
}

export class Clock {
  /** The host's time, ns. */
  now = 0
  /** Called when the host's task has ended. */
  taskEnded: () => void = () => undefined
  /**
   * Called when a program is ended that does not end by itself: others on this thread must not meet
   * its clock then.
   */
  isEnded: () => void = () => undefined
  /** Called before the host's next task: a thread that slept takes its time to run again. */
  taskBegins: () => void = () => undefined
  readonly #events: Event[] = []
  calls = 0
  #owedNs = 0
  #thrown: ModelError | null = null

  /** A call of the host's, which takes so long. */
  spend(ns: number): void {
    this.payOwed()
    this.now += ns
    this.calls += 1
    if (this.calls > MOST_CALLS) this.#end(`The program has made ${String(MOST_CALLS)} calls and not ended.`)
    if (this.now > LONGEST_NS)
      this.#end(`The program has run for ${String(LONGEST_NS / 1e9)} s of modelled time.`)
  }

  /** Time that the host spends without a call, from now until its next one. */
  owe(ns: number): void {
    this.#owedNs += ns
  }

  payOwed(): void {
    this.now += this.#owedNs
    this.#owedNs = 0
  }

  /**
   * Something beside the host, at a time. Those of one time happen in the order in which they were
   * added.
   */
  at(atNs: number, happens: Happening): void {
    this.#add({ atNs, happens, isTask: false, isTimer: false })
  }

  /**
   * A task of the host's, which begins then, or as soon as the host is free. Call what it returns
   * to take it back.
   */
  task(atNs: number, happens: () => void, isTimer = false): () => void {
    const event = { atNs, happens, isTask: true, isTimer }
    this.#add(event)
    return () => {
      const index = this.#events.indexOf(event)
      if (index >= 0) this.#events.splice(index, 1)
    }
  }

  /**
   * The host is held inside a call until then: what is beside it goes on, no task of its own
   * begins.
   */
  block(isOver: () => boolean): void {
    while (!isOver()) {
      const index = this.#events.findIndex(({ isTask }) => !isTask)
      const [event] = index < 0 ? [] : this.#events.splice(index, 1)
      if (!event) throw new ModelError('The host is held by something that will not happen.')
      event.happens(event.atNs)
      this.now = Math.max(this.now, event.atNs)
    }
  }

  /** Runs to the end. @throws ModelError where nothing is pending any more, or it never ends. */
  async run<T>(body: () => Promise<T>): Promise<T> {
    const ended: { value?: T; thrown?: unknown; is: boolean } = { is: false }
    body().then(
      (value) => Object.assign(ended, { value, is: true }),
      (thrown: unknown) => Object.assign(ended, { thrown, is: true }),
    )
    for (let seen = -1; ;) {
      await new Promise<void>((turn) => {
        immediately(turn)
      })
      if (this.#thrown) throw this.#thrown // also where the program has caught it
      if (ended.is) break
      if (this.calls !== seen) {
        seen = this.calls
        continue
      }
      this.payOwed()
      this.taskEnded()
      this.#untilNextTask()
    }
    if ('thrown' in ended) throw ended.thrown
    return ended.value as T // it has ended, and has not thrown
  }

  #untilNextTask(): void {
    for (;;) {
      const event = this.#events.shift()
      if (!event || (event.isTimer && event.atNs - this.now > WATCHES_FROM_NS))
        throw new ModelError("The program waits for something that is not WebGPU's: nothing is pending.")
      if (event.isTask) {
        this.now = Math.max(this.now, event.atNs)
        this.taskBegins()
      }
      event.happens(event.atNs)
      if (event.isTask) return
    }
  }

  #add(event: Event): void {
    const after = this.#events.findLastIndex(({ atNs }) => atNs <= event.atNs)
    this.#events.splice(after + 1, 0, event)
  }

  #end(message: string): never {
    this.#thrown ??= new ModelError(message)
    this.isEnded()
    throw this.#thrown
  }
}

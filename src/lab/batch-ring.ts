/**
 * Memory for batches that goes round between a loader's thread and the program: to be made, made,
 * at the program's, and back. The batches come in order. As in PyTorch, where a batch is taken
 * another is asked for: so many are ahead of the one that the program holds.
 */

/** Asks the loader's thread for batch `index` in this memory, which is given away. */
export type AskForBatch = (index: number, memory: ArrayBuffer) => void

interface Waiting {
  readonly resolve: (batch: Float32Array<ArrayBuffer>) => void
  readonly reject: (reason: Error) => void
}

export class BatchRing {
  readonly #ask: AskForBatch
  readonly #free: ArrayBuffer[]
  readonly #made = new Map<number, ArrayBuffer>()
  #count = 0
  #ahead = 0
  #asked = 0
  #taken = 0
  #waiting: Waiting | null = null
  #failure: Error | null = null

  /** Memory for `mostAhead` batches, and for the one that the program holds; each of `bytes`. */
  constructor(mostAhead: number, bytes: number, ask: AskForBatch) {
    this.#free = Array.from({ length: mostAhead + 1 }, () => new ArrayBuffer(bytes))
    this.#ask = ask
  }

  /**
   * From batch 0 to `count` - 1, `ahead` of them at a time. The batches before are all given back.
   */
  start(count: number, ahead: number): void {
    this.#count = count
    this.#ahead = ahead
    this.#asked = 0
    this.#taken = 0
    this.#askForMore()
  }

  /** A batch is made. */
  arrived(index: number, memory: ArrayBuffer): void {
    this.#made.set(index, memory)
    const waiting = this.#waiting
    if (!waiting) return
    const batch = this.#take()
    if (!batch) return
    this.#waiting = null
    waiting.resolve(batch)
  }

  /** The loader's thread has failed: whoever waits, or asks from now on, hears why. */
  fail(reason: Error): void {
    this.#failure ??= reason
    this.#waiting?.reject(this.#failure)
    this.#waiting = null
  }

  /** The next batch where it is made already; null: it must be awaited. */
  take(): Float32Array<ArrayBuffer> | null {
    if (this.#failure) throw this.#failure
    return this.#take()
  }

  /** Settles when the next batch is made; after `take` gave null. */
  wait(): Promise<Float32Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }))
  }

  /** The program has copied a batch out: its memory is for another. */
  giveBack({ buffer }: Float32Array<ArrayBuffer>): void {
    this.#free.push(buffer)
  }

  #take(): Float32Array<ArrayBuffer> | null {
    const memory = this.#made.get(this.#taken)
    if (!memory) return null
    this.#made.delete(this.#taken)
    this.#taken += 1
    this.#askForMore()
    return new Float32Array(memory)
  }

  #askForMore(): void {
    while (this.#asked < this.#count && this.#asked - this.#taken < this.#ahead) {
      const memory = this.#free.pop()
      // `ahead` are asked for or made, and one is held: one is free where another is asked for.
      if (!memory) throw new Error('There is no memory for another batch.')
      this.#ask(this.#asked, memory)
      this.#asked += 1
    }
  }
}

/**
 * One shape, all libraries: prepared, warmed up, their chains sized from their own rates, then
 * rounds in turn, each round begun by another library. Knows no browser: what it drives is the
 * page's functions, or a test's. A library that fails is a row that says why; one that takes its
 * whole browser with it (a CommandError) ends the bench.
 */
import { CommandError } from '../cli/terminal.mjs'
import type { Comparison } from '../src/gpu/kernels/matmul/reference'
import type { Measured, Round } from './matmul-results'
import type { GemmShape } from './matmul-shapes'
import type { BenchPage, Prepared } from './page/bench-page'

/** The arguments of a page, library by library. */
export type Driver = Pick<BenchPage, 'prepare' | 'chain' | 'check' | 'release'>

/** A median of five or more has a 90 % interval (base/stats). */
const ROUNDS = 9
/**
 * A short chain takes about this long: many times the 3 ms that starting it and hearing of its end
 * cost.
 */
const SHORT_CHAIN_MS = 100
const MAX_PRODUCTS = 30_000
/**
 * Warm-up lasts as long as a GPU's clocks need to rise under load (DVFS), and no fewer chains than
 * these.
 */
const WARM_UP_MS = 250
const MIN_WARM_UPS = 2

/** A library while its shape is measured. */
class Entry {
  readonly #driver: Driver
  readonly #name: string
  readonly #rounds: Round[] = []
  #prepared: Prepared = { kernel: '', unit: 1 }
  #short = 0
  #long = 0
  #check: Comparison | null = null
  #error: string | undefined

  constructor(driver: Driver, name: string) {
    this.#driver = driver
    this.#name = name
  }

  async prepare(shape: GemmShape): Promise<void> {
    await this.#attempt(async () => {
      this.#prepared = await this.#driver.prepare(this.#name, shape)
      await this.#size()
    })
  }

  async takeRound(longFirst: boolean): Promise<void> {
    await this.#attempt(async () => {
      const first = await this.#driver.chain(this.#name, longFirst ? this.#long : this.#short)
      const second = await this.#driver.chain(this.#name, longFirst ? this.#short : this.#long)
      this.#rounds.push(longFirst ? { short: second, long: first } : { short: first, long: second })
    })
  }

  async finish(): Promise<Measured> {
    await this.#attempt(async () => {
      this.#check = await this.#driver.check(this.#name)
    })
    // Also what failed may hold memory.
    await this.#attempt(() => this.#driver.release(this.#name), true)
    return {
      library: this.#name,
      kernel: this.#prepared.kernel,
      rounds: this.#rounds,
      check: this.#check,
      ...(this.#error === undefined ? {} : { error: this.#error }),
    }
  }

  /** Warms up and finds how many products fill a short chain. */
  async #size(): Promise<void> {
    let products = this.#prepared.unit
    let spentMs = 0
    // The first chain pays for compiling and for first touches: it counts for nothing.
    await this.#driver.chain(this.#name, products)
    for (let warmUps = 1; ; warmUps += 1) {
      const { ms } = await this.#driver.chain(this.#name, products)
      spentMs += ms
      const wanted = this.#inUnits((products * SHORT_CHAIN_MS) / Math.max(ms, 0.1))
      const fits = ms >= SHORT_CHAIN_MS / 2 || products >= wanted
      if (fits && warmUps >= MIN_WARM_UPS && spentMs >= WARM_UP_MS) {
        this.#short = wanted
        this.#long = 3 * wanted
        return
      }
      if (!fits) products = Math.min(wanted, products * 8)
    }
  }

  /** Whole multiples of the unit, at least one. */
  #inUnits(products: number): number {
    return (
      Math.max(1, Math.round(Math.min(products, MAX_PRODUCTS) / this.#prepared.unit)) * this.#prepared.unit
    )
  }

  /** A step of one library; its failure is its own, and ends its part. */
  async #attempt(step: () => Promise<void>, always = false): Promise<void> {
    if (this.#error !== undefined && !always) return
    try {
      await step()
    } catch (thrown) {
      if (thrown instanceof CommandError) throw thrown
      const message = thrown instanceof Error ? thrown.message : String(thrown)
      this.#error ??= message.replace(/\n[^]*/, '') // a stack follows
    }
  }
}

/** @throws CommandError; every other failure is in what it returns */
export async function measureShape(
  driver: Driver,
  names: readonly string[],
  shape: GemmShape,
  onProgress: (fraction: number, message: string) => void,
): Promise<readonly Measured[]> {
  const entries: Entry[] = []
  for (const [index, name] of names.entries()) {
    onProgress((0.3 * index) / names.length, `${name}: preparing and warming up`)
    const entry = new Entry(driver, name)
    entries.push(entry)
    await entry.prepare(shape)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    onProgress(0.3 + (0.6 * round) / ROUNDS, `round ${String(round + 1)} of ${String(ROUNDS)}`)
    // Another library goes first in each round, and every other round has the long chain first.
    const at = round % Math.max(1, entries.length)
    for (const entry of [...entries.slice(at), ...entries.slice(0, at)])
      await entry.takeRound(round % 2 === 1)
  }
  onProgress(0.9, 'checking the results')
  const measured: Measured[] = []
  for (const entry of entries) measured.push(await entry.finish())
  return measured
}

/**
 * Timestamps that a page takes itself. Whenever it resolves queries, a second command resolves them
 * into a buffer of the recorder's, which is read with its own stamps: the page may write the same
 * queries again in its next frame.
 */
import { madeOnce } from '../base/lists'
import type { Natives } from './realm'
import { BYTES_PER_QUERY, inOwnScopes, QUERIES_PER_SET, USAGE, type Resolved } from './stamps'

/** WebGPU resolves to multiples of 256 bytes. */
const STEP = 256 / BYTES_PER_QUERY
const MAX_BUFFERS = 16

/** Queries of a page that one of its command buffers resolves, by the passes that wrote them. */
export interface Resolving {
  readonly set: Resolved
  readonly passes: readonly Written[]
  /** Where the first query lies that was resolved, less its number. */
  readonly offset: number
}

/** A pass, and where its timestamps lie once the page has resolved them. */
interface Timed {
  ofPage: { readonly set: Resolved; readonly begin: number; readonly end: number } | null
}
/** A command buffer, with the queries of the page that it resolves. */
interface Resolver {
  resolving: Resolving[] | null
}

interface Written {
  readonly stamped: Timed
  readonly begin: number
  readonly end: number
}

export class PageStamps {
  readonly #gpu: GPUDevice
  readonly #natives: Natives
  /** By query of a set, the newest pass that writes it; null: one that writes no other. */
  readonly #written = new WeakMap<GPUQuerySet, Map<number, Written | null>>()
  #buffers: Resolved[] = []
  #current: Resolved | null = null

  constructor(gpu: GPUDevice, natives: Natives) {
    this.#gpu = gpu
    this.#natives = natives
  }

  /** A pass that has a query at each end may get its times. */
  wrote(stamped: Timed, writes: GPUComputePassTimestampWrites | GPURenderPassTimestampWrites): void {
    const { querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = writes
    const written = madeOnce(this.#written, querySet, () => new Map())
    const pass = begin === undefined || end === undefined ? null : { stamped, begin, end }
    for (const query of [begin, end]) if (query !== undefined) written.set(query, pass)
  }

  /** After the page's own resolveQuerySet(). False: there is no room. */
  resolved(
    encoder: GPUCommandEncoder,
    encoding: Resolver,
    querySet: GPUQuerySet,
    first: number,
    count: number,
  ): boolean {
    const written = this.#written.get(querySet)
    const passes: Written[] = []
    for (const [query, pass] of written ?? []) {
      if (!pass || query !== pass.begin || written?.get(pass.end) !== pass) continue
      if (Math.min(query, pass.end) >= first && Math.max(query, pass.end) < first + count) passes.push(pass)
    }
    if (passes.length === 0) return true
    for (const { begin } of passes) written?.delete(begin)
    const set = this.#room(count)
    if (!set) return false
    const at = set.used
    set.used += Math.ceil(count / STEP) * STEP
    set.outstanding += 1
    this.#natives.resolveQuerySet(encoder, querySet, first, count, set.buffer, at * BYTES_PER_QUERY)
    ;(encoding.resolving ??= []).push({ set, passes, offset: at - first })
    return true
  }

  /** The command buffer is submitted: its passes, or those of earlier ones, have their times. */
  submitted({ resolving }: Resolver): void {
    for (const { set, passes, offset } of resolving ?? []) {
      set.outstanding -= 1
      for (const { stamped, begin, end } of passes)
        stamped.ofPage = { set, begin: begin + offset, end: end + offset }
    }
  }

  /** Queries that are resolved and not read. */
  get waiting(): number {
    return this.#buffers.reduce((sum, { used }) => sum + used, 0)
  }

  /** Ends the use of the present buffers. @returns those to be destroyed once they are read */
  seal(): readonly Resolved[] {
    this.#current = null
    const free = this.#buffers.filter(({ outstanding }) => outstanding === 0)
    this.#buffers = this.#buffers.filter(({ outstanding }) => outstanding > 0)
    return free
  }

  destroy(sets: readonly Resolved[]): void {
    for (const { buffer } of sets) this.#natives.destroyBuffer(buffer)
  }

  #room(count: number): Resolved | null {
    if (this.#current && this.#current.used + count <= QUERIES_PER_SET) return this.#current
    if (count > QUERIES_PER_SET || this.#buffers.length >= MAX_BUFFERS) return null
    const descriptor = {
      label: 'recorder: timestamps of the page',
      size: QUERIES_PER_SET * BYTES_PER_QUERY,
      usage: USAGE.queryResolve | USAGE.copySrc,
    }
    const buffer = inOwnScopes(
      this.#natives,
      this.#gpu,
      () => this.#natives.createBuffer(this.#gpu, descriptor),
      () => undefined, // its times are zeros, which are counted
    )
    this.#current = { buffer, used: 0, outstanding: 0 }
    this.#buffers.push(this.#current)
    return this.#current
  }
}

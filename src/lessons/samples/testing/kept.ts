/**
 * A sample's results on the GPU machine, as `../run.py` keeps them, and the questions that a claim
 * asks of them.
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const lineSchema = v.object({
  runs: count,
  ms: v.number(),
  medianMs: v.number(),
  /** The part of `ms` in which the device was busy. */
  busyMs: v.number(),
  /** Runs that launched something, and what they launched. */
  launched: count,
  launches: count,
  /** Calls of CUDA that wait, and that pin memory. */
  waits: count,
  pins: count,
  /** Calls of `launched` that ended before what they had launched. */
  returnedBefore: count,
  /** Those of `runs` at whose end nothing was unfinished that had been launched. */
  doneAfter: count,
})
type Line = v.InferOutput<typeof lineSchema>

const keptSchema = v.object({
  hash: v.string(),
  device: v.string(),
  torch: v.string(),
  cuda: v.nullable(v.string()),
  date: v.string(),
  ran: v.boolean(),
  error: v.optional(v.string()),
  /** Samples that torchrun starts have ranks. */
  ranks: v.optional(count),
  output: v.optional(v.string(), ''),
  facts: v.optional(v.record(v.string(), v.unknown()), {}),
  lines: v.optional(v.record(v.string(), lineSchema), {}),
  onDevice: v.optional(
    v.object({
      kernelMs: v.number(),
      copyMs: v.number(),
      copyBesideKernelMs: v.number(),
      copies: v.record(v.string(), count),
    }),
  ),
})
export type Kept = v.InferOutput<typeof keptSchema>

const KEPT = 'src/lessons/samples/kept.json'

export const keptResults = (): Readonly<Record<string, Kept>> =>
  v.parse(v.record(v.string(), keptSchema), JSON.parse(readFileSync(KEPT, 'utf8')))

/** A kept result beside its text. */
export class Came {
  constructor(
    readonly kept: Kept,
    private readonly text: string,
  ) {}

  /** The figures of the one line that has this in it. */
  line(part: string): Line {
    const numbers = this.text.split('\n').flatMap((line, index) => (line.includes(part) ? [index + 1] : []))
    const figures = this.kept.lines[String(numbers[0])]
    if (numbers.length !== 1 || figures === undefined)
      throw new Error(`'${part}': ${numbers.length} lines, ${figures === undefined ? 'not ' : ''}run`)
    return figures
  }

  /**
   * The call was over before the device had done what it launched. One in twenty may be slower: the
   * host is interrupted at times.
   */
  returnsBefore(part: string): boolean {
    const { launched, returnedBefore } = this.line(part)
    return launched > 0 && returnedBefore >= launched * 0.95
  }

  /** At the end of the line the device had done all that was launched. */
  waitsForAll(part: string): boolean {
    const { runs, doneAfter } = this.line(part)
    return doneAfter === runs
  }

  /** The host went on while work that had been launched was unfinished. */
  goesOnBefore(part: string): boolean {
    const { runs, doneAfter } = this.line(part)
    return doneAfter < runs * 0.05
  }

  neverWaits(part: string): boolean {
    return this.line(part).waits === 0
  }

  /** The number that the output has for `pattern`. */
  printed(pattern: RegExp): number {
    const found = pattern.exec(this.kept.output)?.[1]
    if (found === undefined) throw new Error(`nothing printed fits ${String(pattern)}`)
    return Number(found)
  }

  copied(kind: RegExp): number {
    const kinds = Object.entries(this.kept.onDevice?.copies ?? {})
    return kinds.reduce((sum, [name, times]) => sum + (kind.test(name) ? times : 0), 0)
  }

  fact(name: string): unknown {
    if (!(name in this.kept.facts)) throw new Error(`no fact ${name}`)
    return this.kept.facts[name]
  }

  /** True if every rank has this fact. */
  onAllRanks(name: string): boolean {
    const facts = this.fact(name)
    return Array.isArray(facts) && facts.length === this.kept.ranks && facts.every((each) => each === true)
  }
}

/** A sample's claims: a sentence, and whether it held. */
export type Claims = Readonly<
  Record<string, readonly (readonly [sentence: string, holds: (came: Came) => boolean])[]>
>

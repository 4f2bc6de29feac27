/** `npm run bench -- sweep`: variants of the specialised kernels at a list of shapes, each compared with a plain kernel, timed in turn. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { adapterFlags, EXACT_TIMESTAMPS_FLAG } from '../cli/adapters.mjs'
import { bundleModule } from '../cli/bundle-module'
import { ROOT, say } from '../cli/terminal.mjs'
import { median } from '../src/base/stats'
import { openIsolatedPage } from './isolated-page'
import { flopsOf, formatShape, type GemmShape } from './matmul-shapes'
import type { SweepGlobal } from './sweep-page'
import { variantsFor } from './sweep-list'
import type { Variant } from './sweep-variants'

interface SweepOptions {
  readonly adapter: 'gpu' | 'software'
  readonly shapes: readonly GemmShape[]
  readonly json: string
  readonly seconds: number
  readonly rounds: number
  /** What a variant's name must contain to be tried. */
  readonly only: string
  /** Compiles one after the other, and says how long each took. */
  readonly singly: boolean
}

/** A timed pass lasts about this long, and the pass before it as long as it takes a GPU's clock to rise again after a pause. */
const PASS_MS = 6
const BEFORE_MS = 18
const MOST_PRODUCTS = 2048
const WARM_UP_MS = 1000

const productsIn = (passMs: number, ms: number): number =>
  Math.min(MOST_PRODUCTS, Math.max(1, Math.round(passMs / ms)))

/** A variant counts where every entry is right; its error else. */
export async function benchSweep({
  adapter,
  shapes,
  json,
  seconds,
  rounds,
  only,
  singly,
}: SweepOptions): Promise<number> {
  const script = await bundleModule(join(ROOT, 'bench', 'sweep-page.ts'))
  const { browser, page } = await openIsolatedPage([...adapterFlags(adapter), EXACT_TIMESTAMPS_FLAG], script)
  const start = performance.now()
  const late = () => performance.now() - start > seconds * 1000
  let failed = 0
  try {
    await page.waitForFunction(() => 'sweep' in globalThis)
    const environment = await page.evaluate(async () =>
      (await (globalThis as SweepGlobal).sweep).environment(),
    )
    const { limits } = environment
    const results: unknown[] = []
    for (const shape of shapes) {
      if (late()) {
        results.push({ shape, error: 'no time left' })
        continue
      }
      const variants = variantsFor(
        shape,
        limits['maxComputeWorkgroupStorageSize'] ?? 16384,
        limits['maxComputeInvocationsPerWorkgroup'] ?? 256,
      ).filter(({ name }) => name.includes(only))
      const rows = await sweepShape(shape, variants)
      failed += rows.filter(({ error }) => error !== undefined).length
      results.push({ shape, rows })
      await mkdir(dirname(json), { recursive: true })
      await writeFile(
        json,
        `${JSON.stringify({ date: new Date().toISOString(), environment, results }, null, 1)}\n`,
      )
      const sorted = rows.toSorted((one, other) => (other.tflops ?? 0) - (one.tflops ?? 0))
      say(`\n${formatShape(shape)}  (${((performance.now() - start) / 1000).toFixed(0)} s)`)
      for (const { name, tflops, compileMs, error } of sorted)
        say(
          `  ${tflops?.toFixed(3).padStart(8) ?? '   error'}${compileMs === undefined ? '' : `${compileMs.toFixed(0).padStart(7)} ms`}  ${name}${error === undefined ? '' : `: ${error}`}`,
        )
    }
  } finally {
    await browser.close()
  }
  return failed > 0 ? 1 : 0

  async function sweepShape(shape: GemmShape, variants: readonly Variant[]) {
    await page.evaluate(async (one) => (await (globalThis as SweepGlobal).sweep).prepare(one), shape)
    const { compileMs, errors } = await page.evaluate(
      async ([all, one]) => (await (globalThis as SweepGlobal).sweep).compileAll(all, one),
      [variants, singly] as const,
    )
    const rows = variants.map(({ name }, index) => ({
      name,
      error: errors[index] ?? undefined,
      compileMs: singly ? compileMs[index] : undefined,
      maxError: Number.NaN,
      tflops: undefined as number | undefined,
      ms: [] as number[],
      products: 1,
      before: 1,
    }))
    say(
      `${formatShape(shape)}: ${String(variants.length)} variants compiled in ${(Math.max(...compileMs) / 1000).toFixed(1)} s`,
    )
    for (const [index, row] of rows.entries()) {
      if (row.error !== undefined) continue
      try {
        const { wrong, maxError } = await page.evaluate(
          async (at) => (await (globalThis as SweepGlobal).sweep).verify(at),
          index,
        )
        row.maxError = maxError
        if (wrong > 0) row.error = `${String(wrong)} entries are wrong, by ${maxError.toPrecision(3)} at most`
        else {
          const ms = await timeOf(index, 1, 1)
          row.products = productsIn(PASS_MS, ms)
          row.before = productsIn(BEFORE_MS, ms)
        }
      } catch (thrown) {
        row.error = thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown)
      }
    }
    // The clocks fall while pipelines compile, and rise within a second of work.
    const first = rows.findIndex(({ error }) => error === undefined)
    const warmUntil = performance.now() + WARM_UP_MS
    while (first >= 0 && performance.now() < warmUntil)
      await timeOf(first, 4 * (rows[first]?.products ?? 1), 0)
    for (let round = -1; round < rounds; round += 1)
      for (const [index, row] of rows.entries()) {
        if (row.error !== undefined || (late() && round > 1)) continue
        const ms = await timeOf(index, row.products, row.before)
        if (round >= 0) row.ms.push(ms)
      }
    for (const row of rows) if (row.ms.length > 0) row.tflops = flopsOf(shape) / median(row.ms) / 1e9
    return rows
  }

  async function timeOf(index: number, products: number, before: number): Promise<number> {
    return await page.evaluate(
      async ([at, count, warm]) => (await (globalThis as SweepGlobal).sweep).time(at, count, warm),
      [index, products, before] as const,
    )
  }
}

/**
 * Run after run in one page: what is kept of each must not add up. Every few runs, after a garbage collection: the memory of page and worker
 * (performance.measureUserAgentSpecificMemory), listeners and nodes of the document, and buffers alive on the lab's device.
 */
import { chromium, type CDPSession, type Page, type Worker } from 'playwright-core'
import { adapterFlags, type AdapterChoice } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { ensureSite } from '../cli/build-site.mjs'
import { experiments } from '../cli/catalog'
import type { LabGlobal } from '../cli/lab-page'
import { progressLine } from '../cli/progress-line'
import { serveSite } from '../cli/static-server.mjs'
import { textTable } from '../cli/text-table'
import { CommandError } from '../cli/terminal.mjs'
import { formatParam } from '../src/experiments/experiment'
import { whatGrew, type Look } from './soak-growth'

/** Runs between two looks: each experiment once, so that looks compare like with like. */
const ROUND = experiments.length
/** Measured at once, with a collection, instead of at the browser's leisure. */
const EAGER_MEMORY = '--enable-blink-features=ForceEagerMeasureMemory'

/** In the worker, between runs: the recorder takes WebGPU as it finds it when a run begins. */
function countBuffers(): void {
  const live = new Map<object, object>()
  type Method = (this: object, ...args: unknown[]) => object
  const wrap = (prototype: object, name: string, after: (self: object, made: object) => void) => {
    const original = Reflect.get(prototype, name) as Method
    Reflect.set(prototype, name, function (this: object, ...args: unknown[]) {
      const made = original.apply(this, args)
      after(this, made)
      return made
    })
  }
  const lost = new WeakSet()
  wrap(GPUDevice.prototype, 'createBuffer', (device, buffer) => {
    live.set(buffer, device)
    if (lost.has(device)) return
    lost.add(device)
    // Never rejects (WebGPU §4.4).
    ;(device as GPUDevice).lost.then(
      () => {
        for (const [each, of] of live) if (of === device) live.delete(each)
      },
      () => undefined,
    )
  })
  wrap(GPUBuffer.prototype, 'destroy', (buffer) => live.delete(buffer))
  Reflect.set(globalThis, 'soakLive', () => live.size)
}

interface MemoryAnswer {
  readonly breakdown: readonly {
    readonly bytes: number
    readonly attribution: readonly { readonly scope: string }[]
  }[]
}

async function look(page: Page, worker: Worker, cdp: CDPSession, runs: number): Promise<Look> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { breakdown } = await page.evaluate(() =>
    (
      performance as Performance & { measureUserAgentSpecificMemory: () => Promise<MemoryAnswer> }
    ).measureUserAgentSpecificMemory(),
  )
  const bytesOf = (isWorker: boolean) =>
    breakdown
      .filter(({ attribution }) => attribution.some(({ scope }) => scope.includes('Worker')) === isWorker)
      .reduce((sum, { bytes }) => sum + bytes, 0)
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN
  return {
    runs,
    pageBytes: bytesOf(false),
    workerBytes: bytesOf(true),
    listeners: metric('JSEventListeners'),
    nodes: metric('Nodes'),
    buffers: await worker.evaluate(() => (globalThis as unknown as { soakLive: () => number }).soakLive()),
  }
}

export async function benchSoak(adapter: AdapterChoice, runs: number): Promise<number> {
  await ensureSite()
  const site = await serveSite()
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: [...adapterFlags(adapter === 'gpu' ? 'gpu' : 'software'), EAGER_MEMORY],
  })
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' })
    await page.goto(`${site.url}run/${experiments[0]?.id ?? ''}/`)
    await page.waitForFunction(() => (globalThis as Partial<LabGlobal>).hostDeviceLab !== undefined)
    if (!(await page.evaluate(() => globalThis.crossOriginIsolated)))
      throw new CommandError('The page is not isolated: its memory cannot be measured.')
    await page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.environment(true))
    const worker = page.workers().find((each) => /\/worker-[^/]*\.js/.test(each.url()))
    if (!worker) throw new CommandError('The engine has not started.')
    // tsx names the functions in what is sent over.
    await worker.evaluate('globalThis.__name = (named) => named')
    await worker.evaluate(countBuffers)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const line = progressLine()
    const looks: Look[] = []
    for (let run = 0; run < runs; run += 1) {
      const declaration = experiments[run % ROUND]
      if (!declaration) throw new Error('There are no experiments.')
      const { id, presets } = declaration
      const short = presets.find((preset) => preset.id === 'short')?.values ?? {}
      const settings = Object.fromEntries(
        Object.entries(short).map(([name, value]) => [name, formatParam(value)]),
      )
      line.show(run / runs, `run ${String(run + 1)} of ${String(runs)}: ${id}`)
      const outcome = await page.evaluate(
        ([experiment, params]) => (globalThis as LabGlobal).hostDeviceLab.run(experiment, params),
        [id, settings] as const,
      )
      if (outcome.status !== 'done' || outcome.report?.verification.failed !== 0)
        throw new CommandError(
          `Run ${String(run + 1)}, ${id}: ${JSON.stringify(outcome.fault ?? outcome.status)}`,
        )
      if ((run + 1) % ROUND === 0) looks.push(await look(page, worker, cdp, run + 1))
    }
    line.end()
    const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
    console.log(
      textTable(
        [
          ['runs', 'page, MiB', 'worker, MiB', 'listeners', 'nodes', 'buffers'],
          ...looks.map((each) => [
            String(each.runs),
            mib(each.pageBytes),
            mib(each.workerBytes),
            String(each.listeners),
            String(each.nodes),
            String(each.buffers),
          ]),
        ],
        [0, 1, 2, 3, 4, 5],
      ),
    )
    const grew = whatGrew(looks)
    console.log(grew.length === 0 ? `Flat over ${String(runs)} runs.` : `Grew: ${grew.join('; ')}.`)
    return grew.length === 0 ? 0 : 1
  } finally {
    await browser.close()
    await site.close()
  }
}

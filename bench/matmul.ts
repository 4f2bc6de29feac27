/**
 * `npm run bench -- matmul`: the lab's matmul and other libraries' on one device, in one page, in
 * turn.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../cli/out-folder'
import { goneOf } from '../cli/lab-page'
import { progressLine, type ProgressLine } from '../cli/progress-line'
import { readJson } from '../cli/read-json.mjs'
import { CommandError, ROOT, runNode, say, step } from '../cli/terminal.mjs'
import type { MatmulArguments } from './arguments'
import { labFailed, METHOD, ratiosOf, type Results, type Row, rowOf } from './matmul-results'
import { type Driver, measureShape } from './matmul-rounds'
import { formatShape, parseShapes } from './matmul-shapes'
import { adapterFlags, type AdapterChoice } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { adapterOffered, chooseAdapter } from '../cli/choose-adapter'
import { ensureBenchDependencies } from '../cli/dependencies.mjs'
import { serveSite } from '../cli/static-server.mjs'
import { FaultError } from '../src/base/fault'
import { withTimeout } from '../src/base/with-timeout'
import { callsOf } from './call-page'
import { launch } from './launch'
import type { BenchPage } from './page/bench-page'

/**
 * The results as a person reads them: one table of all shapes in Markdown, and what holds for all
 * of it.
 */

type Sides = Row['shape']
const shapeText = ([m, n, k]: Sides): string => formatShape({ m, n, k })
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
const threeFigures = (value: number): string =>
  value >= 99.95 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
/**
 * Measured after the others, by bench/cublas.py: never 'the best other', which ran in the same
 * page.
 */
const CUBLAS = 'cublas'
const NAMES: Readonly<Record<string, string>> = {
  lab: 'lab',
  tfjs: 'tfjs-backend-webgpu',
  ort: 'onnxruntime-web',
  jax: 'jax-js',
  [CUBLAS]: 'cuBLAS',
}
const nameOf = (library: string): string => NAMES[library] ?? library

/** Below the table: rows without a figure, and rows in which the host was timed. */
export const notesText = ({ rows }: Pick<Results, 'rows'>): string =>
  rows
    .flatMap(({ library, kernel, shape, error, hostShare }) => {
      const notes = [
        ...(error === undefined ? [] : [error]),
        ...((hostShare ?? 0) > 0.5 ? [`${percent(hostShare ?? 0)} of the time the page was submitting`] : []),
      ]
      return notes.map((note) => `${shapeText(shape)} ${`${library} ${kernel}`.trim()}: ${note}`)
    })
    .join('\n')

/**
 * All shapes in one table: rates in TFLOP/s, the lab's kernel, its ratio to the best of the others,
 * and to cuBLAS where that was measured.
 */
export function markdownTable({ rows, ratios, adapter, date, userAgent, versions }: Results): string {
  const libraries = [...new Set(rows.map(({ library }) => library))]
  const hasCublas = libraries.includes(CUBLAS)
  const heads = [
    'M×N×K',
    ...libraries.map(nameOf),
    'lab ÷ best other',
    ...(hasCublas ? ['lab ÷ cuBLAS'] : []),
    'lab’s kernel',
  ]
  const cells = [...new Set(rows.map(({ shape }) => shapeText(shape)))].map((shape) => {
    const find = (library: string) =>
      rows.find((row) => row.library === library && shapeText(row.shape) === shape)
    const lab = find('lab')
    const best = ratios.find((ratio) => ratio.isBest && shapeText(ratio.shape) === shape)
    const cublas = find(CUBLAS)?.tflops
    return [
      shape,
      ...libraries.map((library) => {
        const tflops = find(library)?.tflops
        return tflops == null ? '–' : threeFigures(tflops)
      }),
      best ? `${threeFigures(best.ratio)} (${threeFigures(best.low)} to ${threeFigures(best.high)})` : '–',
      ...(hasCublas ? [lab?.tflops == null || cublas == null ? '–' : percent(lab.tflops / cublas)] : []),
      lab?.kernel ?? '–',
    ]
  })
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
  const isText = (at: number): boolean => at === 0 || at === heads.length - 1
  const chrome = /Chrome\/(\d+)/.exec(userAgent)?.[1]
  const made = [
    `f32 matrix product, TFLOP/s, on ${adapter}`,
    chrome === undefined ? '' : `Chromium ${chrome}`,
    date.slice(0, 10),
    ...Object.entries(versions).map(([library, version]) => `${nameOf(library)} ${version}`),
  ]
  return [
    `${made.filter(Boolean).join(', ')}.`,
    '',
    line(heads),
    `| ${heads.map((_, at) => (isText(at) ? '---' : '---:')).join(' | ')} |`,
    ...cells.map(line),
  ].join('\n')
}

/**
 * The bench's page in a browser: built into dist-bench/, served on this machine, opened on the
 * adapter asked for. Measured with the flags of an ordinary visitor; the adapter's full name needs
 * one flag more, so another browser is asked for it first.
 */

const OUT = join(ROOT, 'dist-bench')
const VERSIONS = join(OUT, 'versions.json')
/** Where each library's version stands. The site itself has ONNX Runtime. */
const PACKAGES = {
  tfjs: 'bench/node_modules/@tensorflow/tfjs-backend-webgpu',
  ort: 'node_modules/onnxruntime-web',
  jax: 'bench/node_modules/@jax-js/jax',
} as const

type Versions = Readonly<Record<string, string>>

async function versionOf(path: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { readonly version: string }
  return version
}

async function buildBenchPage(): Promise<void> {
  await ensureBenchDependencies()
  const code = await step('Building the bench’s page into dist-bench/', () =>
    runNode(
      ['node_modules/vite/bin/vite.js', 'build', '-c', 'bench/page/vite.config.ts', '--logLevel', 'error'],
      {
        env: { VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' },
      },
    ),
  )
  if (code !== 0) throw new CommandError('The bench’s page could not be built; the message stands above.')
  const versions: Record<string, string> = { lab: await versionOf(join(ROOT, 'package.json')) }
  for (const [library, folder] of Object.entries(PACKAGES))
    versions[library] = await versionOf(join(ROOT, folder, 'package.json'))
  await writeFile(VERSIONS, `${JSON.stringify(versions)}\n`)
}

/**
 * Versions of the libraries in dist-bench/, which is built first unless it is to be taken as it
 * stands.
 */
async function ensureBenchPage(prebuilt: boolean): Promise<Versions> {
  if (!prebuilt) await buildBenchPage()
  const versions = (await readJson(VERSIONS)) as Versions | null // buildBenchPage wrote it
  if (versions) return versions
  throw new CommandError('There is no dist-bench/ to take: npm run bench -- matmul --build makes it.')
}

const START_TIMEOUT_MS = 60_000
/** The limit of one step of one library. A shape's chains are sized to tenths of a second. */
const STEP_TIMEOUT_MS = 120_000

type Bench = Awaited<ReturnType<typeof openBench>>

/**
 * The page, served and opened on the adapter asked for, with its adapter's full name where the
 * browser says it.
 */
async function openBench(choice: AdapterChoice) {
  const executablePath = await ensureBrowser()
  const adapter = await chooseAdapter(choice, executablePath)
  const found = await adapterOffered(executablePath, adapterFlags(adapter))
  const site = await serveSite({ root: OUT })
  const browser = await launch(adapter)
  const close = async (): Promise<void> => {
    await browser.close()
    await site.close()
  }
  try {
    const page = await browser.newPage()
    page.on('pageerror', (error) => say(`\npage: ${error.message}`))
    await page.goto(site.url)
    await page.waitForFunction(() => 'matmulBench' in globalThis, null, { timeout: START_TIMEOUT_MS })
    const ask = callsOf<BenchPage>(page, 'matmulBench')
    const environment = await ask('environment')
    const gone = goneOf(browser, page)
    /** @throws CommandError where nothing more can be measured in this browser */
    const step = async <Value>(library: string, work: Promise<Value>): Promise<Value> => {
      try {
        return await withTimeout(Promise.race([work, gone]), STEP_TIMEOUT_MS, 'the page')
      } catch (thrown) {
        if (!(thrown instanceof CommandError || thrown instanceof FaultError)) throw thrown
        throw new CommandError(`${library}: ${thrown.message} --peers leaves a library out.`)
      }
    }
    const driver: Driver = {
      prepare: (...args) => step(args[0], ask('prepare', ...args)),
      chain: (...args) => step(args[0], ask('chain', ...args)),
      check: (library) => step(library, ask('check', library)),
      release: (library) => step(library, ask('release', library)),
    }
    const adapterName = found?.name ?? environment.adapterName
    return { driver, environment, adapterName, close }
  } catch (thrown) {
    await close()
    throw new CommandError(`The page found no WebGPU adapter: ${String(thrown)}`)
  }
}

type Measure = Extract<MatmulArguments, { readonly command: 'measure' }>

const GPU_SIZES = '512,1024,2048,4096,8192,4096x4096x64,64x4096x4096,1x4096x4096,1000x1000x1000'
/** A product of 512 takes 60 ms to half a second on two cores. */
const SOFTWARE_SIZES = '256,512,256x256x16,16x256x256,1x512x512,100x100x100'

async function measureAll(
  { driver, environment, adapterName }: Bench,
  args: Measure,
  versions: Results['versions'],
  line: ProgressLine,
): Promise<Results> {
  const shapes = args.shapes ?? parseShapes(environment.isSoftware ? SOFTWARE_SIZES : GPU_SIZES)
  let results: Results = {
    adapter: adapterName,
    userAgent: environment.userAgent,
    rows: [],
    date: new Date().toISOString(),
    versions,
    method: METHOD,
    ratios: [],
  }
  for (const [index, shape] of shapes.entries()) {
    const measured = await measureShape(driver, ['lab', ...args.peers], shape, (fraction, message) =>
      line.show((index + fraction) / shapes.length, `${formatShape(shape)}: ${message}`),
    )
    results = {
      ...results,
      rows: [...results.rows, ...measured.map((each) => rowOf(each, shape))],
      ratios: [...results.ratios, ...ratiosOf(measured, shape)],
    }
    // After every shape: a run that is cut short keeps what it has.
    if (args.json !== null) await writeFile(args.json, `${JSON.stringify(results, null, 2)}\n`)
  }
  return results
}

async function measure(args: Measure): Promise<number> {
  if (args.json !== null) await makeFolder(dirname(args.json), '--json')
  const versions = await ensureBenchPage(args.prebuilt)
  const bench = await openBench(args.adapter)
  const line = progressLine()
  try {
    say(`Matmul on ${bench.adapterName}`)
    const results = await measureAll(bench, args, versions, line)
    line.end()
    console.log(`${markdownTable(results)}\n\n${notesText(results)}`)
    if (args.json !== null) console.log(`written  ${args.json}`)
    return labFailed(results.rows) ? 1 : 0
  } finally {
    line.end()
    await bench.close()
  }
}

async function table(file: string): Promise<number> {
  const results = (await readJson(file)) as Results | null
  if (!results) throw new CommandError(`${file} is no results file.`, 2)
  console.log(markdownTable(results))
  return 0
}

export async function benchMatmul(args: MatmulArguments): Promise<number> {
  switch (args.command) {
    case 'table':
      return await table(args.file)
    case 'build':
      await buildBenchPage()
      return 0
    case 'measure':
      return await measure(args)
  }
}

/**
 * The bench's page in a browser: built into dist-bench/, served on this machine, opened on the
 * adapter asked for. Measured with the flags of an ordinary visitor; the adapter's full name needs
 * one flag more, so another browser is asked for it first.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adapterFlags, type AdapterChoice } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { adapterOffered, chooseAdapter } from '../cli/choose-adapter'
import { ensureBenchDependencies } from '../cli/dependencies.mjs'
import { readJson } from '../cli/read-json.mjs'
import { serveSite } from '../cli/static-server.mjs'
import { CommandError, ROOT, runNode, say, step } from '../cli/terminal.mjs'
import { FaultError } from '../src/base/fault'
import { withTimeout } from '../src/base/with-timeout'
import { callsOf } from './call-page'
import { launch } from './launch'
import type { Driver } from './matmul-rounds'
import type { BenchPage } from './page/bench-page'

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

export async function buildBenchPage(): Promise<void> {
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
export async function ensureBenchPage(prebuilt: boolean): Promise<Versions> {
  if (!prebuilt) await buildBenchPage()
  const versions = (await readJson(VERSIONS)) as Versions | null // buildBenchPage wrote it
  if (versions) return versions
  throw new CommandError('There is no dist-bench/ to take: npm run bench -- matmul --build makes it.')
}

const START_TIMEOUT_MS = 60_000
/** Of one step of one library. A shape's chains are sized to tenths of a second. */
const STEP_TIMEOUT_MS = 120_000

export type Bench = Awaited<ReturnType<typeof openBench>>

/**
 * The page, served and opened on the adapter asked for, with its adapter's full name where the
 * browser says it.
 */
export async function openBench(choice: AdapterChoice) {
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
    const gone = new Promise<never>((_, reject) => {
      page.once('crash', () => reject(new CommandError('The page crashed.')))
      browser.once('disconnected', () => reject(new CommandError('The browser ended.')))
    })
    gone.catch(() => undefined)
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

/** Which adapter a browser reaches. A browser of its own is asked, and closed again. */
import { pathToFileURL } from 'node:url'
import { isSoftwareAdapter, nameWithKind, type AdapterSummary } from '../src/trace/schema'
import { adapterFlags, EXACT_TIMESTAMPS_FLAG, type AdapterChoice } from './adapters.mjs'
import { openTargets } from './page-targets'
import { CommandError, say } from './terminal.mjs'

/** A page has WebGPU where its context is secure: as a file is, and an empty page is not. */
const PAGE = pathToFileURL(import.meta.dirname).href
const INFO = `(async () => {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) return null
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info
  return { vendor, architecture, device, description, isFallbackAdapter }
})()`

/**
 * Null: none, or no answer in time. On Mesa's software Vulkan driver (lavapipe) `requestAdapter`
 * never settles, or no page opens.
 *
 * @param browser path of a Chrome or Chromium
 */
export async function adapterOffered(browser: string, flags: readonly string[]) {
  const targets = await openTargets(browser, [...flags, EXACT_TIMESTAMPS_FLAG], '').catch(() => null)
  try {
    await targets?.open(PAGE)
    const info = (await targets?.inPage(INFO)) as AdapterSummary | null | undefined
    if (!info) return null
    return { name: nameWithKind(info), isSoftware: isSoftwareAdapter(info) }
  } catch {
    return null
  } finally {
    await targets?.close()
  }
}

/**
 * 'auto' takes a GPU, else software, and says which.
 *
 * @param browser path of a Chrome or Chromium
 * @throws CommandError where a GPU is asked for and there is none
 */
export async function chooseAdapter(choice: AdapterChoice, browser: string): Promise<'gpu' | 'software'> {
  if (choice === 'software') return choice
  const found = await adapterOffered(browser, adapterFlags('gpu'))
  if (found?.isSoftware === false) return 'gpu'
  const why = `The browser offers ${found ? `only ${found.name}` : 'no adapter'}.`
  if (choice === 'gpu') throw new CommandError(`No GPU. ${why} --adapter auto runs on software instead.`)
  say(`No GPU. ${why} Running on software instead: SwiftShader, on the CPU.`)
  return 'software'
}

import { chromium } from 'playwright-core'
import { adapterFlags } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'

/** A browser with the flags of an ordinary visitor, on this adapter. */
export const launch = async (adapter: 'gpu' | 'software') =>
  await chromium.launch({ executablePath: await ensureBrowser(), args: adapterFlags(adapter) })

/** What the two kinds of browsers without a device have in common. */
import { processFlags } from '../cli/adapters.mjs'
import { findBrowser } from '../cli/browsers.mjs'
import { test } from './fixtures'
import { INSECURE_HOST } from './site-address'

const found = await findBrowser()
if (found === null) throw new Error('No Chrome or Chromium found: npm run test:e2e installs one.')
export const executablePath = found

/** A whole spec on an origin that is no secure context, where navigator.gpu does not exist. */
export function onInsecureHost(): void {
  test.use({
    baseURL: `http://${INSECURE_HOST}:${process.env['LAB_E2E_PORT'] ?? ''}/`,
    launchOptions: {
      executablePath,
      args: [...processFlags(), `--host-resolver-rules=MAP ${INSECURE_HOST} localhost`],
    },
  })
  test.beforeEach(({ errors }) => {
    // Chrome's note that an insecure page cannot be isolated.
    errors.allow(/Cross-Origin-Opener-Policy header has been ignored/)
  })
}

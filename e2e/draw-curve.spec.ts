/** A curve drawn by hand before its run: by pointer, by keys, or not at all. On a page without WebGPU, which plays the recordings. */
import { processFlags } from '../cli/adapters.mjs'
import { expect, test } from './fixtures'
import { INSECURE_HOST } from './insecure-host'
import { experimentWords, experimentIds } from './lesson-folders'
import { executablePath } from './without-device'

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

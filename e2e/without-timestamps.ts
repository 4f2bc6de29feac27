import type { Page } from '@playwright/test'

/** An adapter that offers no timestamps, as the worker sees it. */
export async function withoutTimestamps(page: Page): Promise<void> {
  const hide = `{
    const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'features')
    Object.defineProperty(GPUAdapter.prototype, 'features', {
      get() {
        return new Set([...get.call(this)].filter((name) => name !== 'timestamp-query'))
      },
    })
  }`
  await page.route(/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${hide}\n${await response.text()}` })
  })
}

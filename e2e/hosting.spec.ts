/** dist/ on any static host: under a sub-path, and where no headers can be sent. Full function; only the host's clock is coarser. */
import { serveSite } from '../cli/static-server.mjs'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'

test('under a sub-path and without isolation every page opens and a run verifies', async ({ lab, page }) => {
  const site = await serveSite({ base: '/some/where/', isolated: false })
  try {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(site.url)
    await page.locator('a[href="./lessons/sync-stalls/"]').first().click()
    await expect(page).toHaveTitle(/./)
    await page.goto(`${site.url}run/sync-stalls/`)
    const outcome = await lab.runBare('sync-stalls', shortSettings('sync-stalls'))
    expect(outcome).toMatchObject({
      status: 'done',
      report: {
        validity: { valid: true },
        verification: { failed: 0 },
        environment: { crossOriginIsolated: false },
      },
    })
    await page.goto(`${site.url}device/`)
    await expect(page.getByRole('main')).toContainText('not cross-origin isolated')
    await page.getByRole('button', { name: 'Measure this device' }).click()
    await expect(page.getByRole('main')).toContainText(/0\.100?\s*ms|100\s*µs/)
    // Nothing is asked of the host's root, nor of anybody else.
    expect(
      requested.filter(
        (url) => !url.startsWith(site.url) && !url.startsWith('data:') && !url.startsWith('blob:'),
      ),
    ).toEqual([])
  } finally {
    await site.close()
  }
})

test('with the headers the page is isolated, and nobody else is asked for anything', async ({
  lab,
  page,
  baseURL,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  for (const route of ['/', '/device', '/method', '/lessons/async-submission', '/run/async-submission'])
    await lab.open(route)
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  const outside = requested.filter((url) => !url.startsWith(baseURL ?? '') && !/^(data|blob):/.test(url))
  expect(outside).toEqual([])
})

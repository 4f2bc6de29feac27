/**
 * dist/ on any static host: under a sub-path, and where no headers can be sent. Full function; only
 * the host's clock is coarser.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DIST } from '../cli/build-site.mjs'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { onHost } from './on-host'

onHost(
  'under a sub-path and without isolation every page opens and a run verifies',
  async ({ lab, page, site }) => {
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
  },
)

test('a page that a host serves under two slashes goes to its own address', async ({ page, baseURL }) => {
  const html = await readFile(join(DIST, 'lessons', 'sync-stalls', 'index.html'), 'utf8')
  await page.route('**/lessons//sync-stalls/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  )
  await page.goto(`${baseURL ?? ''}/lessons//sync-stalls/#why`)
  await expect(page).toHaveURL(/[^/]\/lessons\/sync-stalls\/#why/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('no header or tag is one that the browser does not know', async ({ page, baseURL }) => {
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  const answer = await page.goto(baseURL ?? '')
  expect(answer?.headers()['permissions-policy']).toContain('camera=()')
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(said.filter((text) => /permissions|referrer|feature/i.test(text))).toEqual([])
})

/**
 * 'Check your training loop': findings at their lines, a fix in the editor, and nothing that leaves
 * the page.
 */
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'

test('the example has five lines to look at, and a fix takes one away', async ({ lab, page }) => {
  await lab.open('/check')
  const rows = page.locator('.loop-finding')
  await expect(rows).toHaveCount(5)
  const item = page.locator('.loop-finding[data-rule="item"]')
  await item.locator('summary').click()
  await item.getByRole('button', { name: 'Fix it here' }).click()
  await expect(rows).toHaveCount(4)
  await expect(page.locator('.cm-content')).toContainText('running += loss.detach()')
  await noViolationInAnyLook(page)
})

test('nothing that is pasted leaves the page', async ({ lab, page }) => {
  await lab.open('/check')
  await expect(page.locator('.loop-finding')).toHaveCount(5)
  // Parts of the site may still come: what they are called was fixed when it was built.
  const isPart = (url: string) => /\/assets\/[\w.-]+$/.test(url)
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || !isPart(request.url())) requests.push(request.url())
  })
  const kept = () =>
    page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))
  const before = { address: page.url(), kept: await kept() }
  await page.getByRole('button', { name: 'Clear the editor' }).click()
  await page.locator('.cm-content').click()
  await page.keyboard.insertText(
    'import torch\nmodel = torch.nn.Linear(8, 8).cuda()\nfor secret in loader:\n    model(secret.cuda()).sum().backward()\n',
  )
  await expect(page.locator('.loop-finding[data-rule="copy-blocks"]')).toHaveCount(1)
  await page.locator('.loop-finding summary').first().click()
  await page.waitForLoadState('networkidle')
  expect(requests).toEqual([])
  expect({ address: page.url(), kept: await kept() }).toEqual(before)
})

test('a profile beside the code gives its functions their cost', async ({ lab, page }) => {
  await lab.open('/check')
  await expect(page.locator('.loop-finding')).toHaveCount(5)
  await page.getByRole('button', { name: 'Clear the editor' }).click()
  await page.locator('.cm-content').click()
  await page.keyboard.insertText(
    'import torch\nmodel = torch.nn.Linear(8, 8).cuda()\ndef read_ratios(loss):\n    return loss.item()\n\nfor x in loader:\n    loss = model(x.cuda(non_blocking=True)).sum()\n    loss.backward()\n    read_ratios(loss)\n',
  )
  await page
    .locator('.loop-profile input')
    .setInputFiles('public/recordings/torch-read-a-profile-read.json.gz')
  const functions = page.getByRole('list', { name: 'Functions in the profile' })
  await expect(functions).toContainText('read_ratios(): Results are read back in the loop.')
  const item = page.locator('.loop-finding[data-rule="item"]')
  await expect(item).toContainText(/In your profile: .* as fast/)
})

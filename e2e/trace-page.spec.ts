/**
 * The page 'trace': files of any format by choice, drop and address, bad ones and huge ones, and
 * what is said of them.
 */
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { JSHandle, Page } from '@playwright/test'
import { losing, wellFed } from '../src/analysis/testing/lossy-profile'
import { expectNoOverflow } from './a11y'
import { expect, test } from './fixtures'
import { recordedOn, recordingPath } from './recordings'
import { sharing } from './shared-page'

const STALLED = 'torch-sync-stalls-stalled.json.gz'

interface GivenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}
const file = (name: string, content: string | Buffer): GivenFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

/** Each test shows a file of another name, so that none takes what stands there for its own. */
const onOnePage = sharing()

class TraceVerbs {
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
  }
  async choose(given: string | GivenFile): Promise<void> {
    await this.#page.getByLabel(/^(Choose files|Open another)$/).setInputFiles(given)
  }
  async isShown(name: string): Promise<void> {
    await expect(this.#page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await expect(this.#page.getByTestId('timeline').locator('canvas').first()).toBeVisible()
  }
  cause(name: string) {
    return this.#page.getByTestId('gap-causes').getByRole('row').filter({ hasText: name })
  }
}

test('the door, and a file that is chosen: the timeline, and the analysis of the command line', async ({
  lab,
  page,
}) => {
  const trace = new TraceVerbs(page)
  await lab.open('/trace')
  await test.step('files stay here, and the lines of torch.profiler for one process and for torchrun', async () => {
    await expect(page.getByText('Files stay on this machine: nothing is uploaded.')).toBeVisible()
    const lines = page.locator('.profiler-lines .code-line')
    await expect(lines).toHaveCount(20)
    await expect(lines.last()).toContainText('p.export_chrome_trace("trace.json.gz")')
    await page.getByRole('button', { name: 'torchrun' }).click()
    await expect(lines).toHaveCount(20)
    await expect(lines.last()).toContainText('rank{torch.distributed.get_rank()}.json.gz')
  })
  await trace.choose(recordingPath(STALLED))
  await trace.isShown(STALLED)
  await expect(page.getByTestId('trace-facts')).toContainText('torch.profiler')
  await expect(page.locator('.tl-ribbon')).toContainText(`imported from ${await recordedOn(STALLED)}`)
  await expect(page.getByRole('heading', { name: await recordedOn(STALLED) })).toBeVisible()
  await expect(trace.cause('reading results back')).toBeVisible()
  await expect(page.getByTestId('skipped')).toContainText('Nothing was skipped')
})

const verdict = (page: Page) => page.getByTestId('trace-verdict')
const findings = (page: Page) => page.getByTestId('finding')

test('a file begins with its verdict: what is wrong, what it costs, and the lesson that mends it', async ({
  lab,
  page,
}) => {
  const trace = new TraceVerbs(page)
  await lab.open('/trace?recording=torch-sync-stalls-item')
  await trace.isShown('torch-sync-stalls-item.json.gz')
  await expect(page.getByTestId('verdict-sentence')).toContainText('reading results back')
  await expect(verdict(page)).toHaveAttribute('data-verdict', 'faults')
  await expect(findings(page).first()).toHaveAttribute('data-cause', 'read-back')
  await expect(page.getByTestId('verdict-sentence')).toContainText('predicted')
  await expect(verdict(page).getByRole('link', { name: /^Lesson 1/ })).toHaveAttribute(
    'href',
    './lessons/sync-stalls/',
  )
  await test.step('with what each change would gain in view, without scrolling', async () => {
    const last = await verdict(page).boundingBox()
    const step = await page.getByTestId('step-figures').boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(900)
    expect(step?.y ?? Infinity).toBeLessThan(800)
  })
  await test.step('a row of a cause shows its longest gap', async () => {
    await page.getByRole('button', { name: 'Longest gap: reading results back' }).click()
    await expect(page.getByTestId('timeline-announcer')).toContainText('reading results back')
  })
  await test.step('its longest example is one press away', async () => {
    await findings(page)
      .first()
      .getByRole('button', { name: /^Show it/ })
      .click()
    await expect(page.getByTestId('timeline-announcer')).toContainText('reading results back')
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  })
  await test.step('it is saved as a picture', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const saved = page.waitForEvent('download')
    await page
      .getByRole('group', { name: 'Share this run' })
      .getByRole('region', { name: 'Verdict', exact: true })
      .getByRole('button', { name: 'Save the picture' })
      .click()
    expect((await saved).suggestedFilename()).toMatch(/\.summary\.png$/)
  })
})

onOnePage(
  'a recording by its address: copies, shown as copies; another from the list: a well-fed GPU',
  async ({ lab, page }) => {
    const trace = new TraceVerbs(page)
    await lab.open('/trace?recording=torch-overlapped-uploads-pageable')
    await trace.isShown('torch-overlapped-uploads-pageable.json.gz')
    await expect(page.locator('.tl-ribbon')).toContainText(
      `recorded on ${await recordedOn('torch-overlapped-uploads-pageable.json.gz')}`,
    )
    await page.getByText('Operators, kernels, modules and lines').click()
    await expect(page.getByTestId('rows-table')).toContainText('Memcpy HtoD (Pageable')
    await expect(page.getByTestId('verdict-sentence')).toContainText('With pinned memory')
    await findings(page)
      .first()
      .getByRole('button', { name: /^Show it/ })
      .click()
    await expect(page.getByTestId('timeline-announcer')).toContainText(/pageable/i)
    await page.getByText('Recordings to compare with').click()
    await page.getByRole('link', { name: 'A training loop, well fed' }).click()
    await trace.isShown('torch-read-a-profile-none.json.gz')
    await expect(page.getByTestId('verdict-sentence')).toContainText('In TF32, a step would take')
    await expect(verdict(page)).toContainText('Nothing on the host holds the GPU back')
    await expect(verdict(page)).toHaveAttribute('data-verdict', 'well-fed')
    await expect(findings(page)).toHaveCount(0)
  },
)

onOnePage(
  'a file that lacks records says so first, draws where, and gives no advice on it',
  async ({ lab, page }) => {
    const trace = new TraceVerbs(page)
    await lab.open('/trace')
    const lossy = losing(wellFed(200), (launch) => launch <= 20 || (launch > 90 && launch <= 130))
    await trace.choose(file('lossy.json', lossy.text()))
    await trace.isShown('lossy.json')
    await expect(page.getByTestId('verdict-sentence')).toHaveText(
      /^60 of 200 launches \(30\s%\) have no record on the GPU: what it did for [\d.]+\s% of the time is not known\. In what is recorded/,
    )
    await expect(verdict(page)).toHaveAttribute('data-verdict', 'partial')
    await expect(findings(page)).toHaveCount(0)
    await expect(verdict(page)).toContainText(/not recorded [\d.]+\s%/)
    await expect(trace.cause('not recorded')).toContainText('2')
    await page.getByRole('button', { name: 'Longest gap: not recorded' }).click()
    await expect(page.getByTestId('timeline-announcer')).toContainText('not recorded')
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('no record on the device')
  },
)

onOnePage('a file that is dropped; what is dragged over the page is told so', async ({ lab, page }) => {
  await lab.open('/trace')
  const base64 = (await readFile(recordingPath('sync-stalls.hdl.gz'))).toString('base64')
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(
      new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], 'mine.hdl.gz'),
    )
    return transfer
  }, base64)
  await page.locator('main').dispatchEvent('dragover', { dataTransfer: data })
  await expect(page.getByText('Drop it to open it here')).toBeVisible()
  await page.locator('main').dispatchEvent('drop', { dataTransfer: data })
  await new TraceVerbs(page).isShown('mine.hdl.gz')
  await expect(page.getByText('Drop it to open it here')).toHaveCount(0)
  await expect(page.getByTestId('trace-facts')).toContainText('warm-up, probes and the time between repeats')
})

onOnePage('bad files: the reason in words, and what was shown stays', async ({ lab, page }) => {
  const trace = new TraceVerbs(page)
  await lab.open('/trace?recording=torch-sync-stalls-mended')
  await trace.isShown('torch-sync-stalls-mended.json.gz')
  const whole = gzipSync(
    JSON.stringify({ traceEvents: [{ ph: 'X', name: 'a', ts: 1, dur: 2, pid: 1, tid: 1 }] }),
  )
  const bad: readonly (readonly [GivenFile, RegExp])[] = [
    [file('empty.json', ''), /The file is empty/],
    [file('nested.json', '['.repeat(100_000)), /./],
    [file('half.json.gz', whole.subarray(0, whole.length >> 1)), /gzip/],
    [file('wrong.json.gz', Buffer.from([0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 9, 9])), /gzip/],
    [file('page.json', '<!doctype html><p>404'), /./],
  ]
  for (const [given, reason] of bad) {
    await test.step(given.name, async () => {
      await trace.choose(given)
      const alert = page.getByRole('alert')
      await expect(alert).toContainText(given.name)
      await expect(alert).toContainText(reason)
      await trace.isShown('torch-sync-stalls-mended.json.gz')
      expect(page.url()).toContain('recording=torch-sync-stalls-mended')
    })
  }
  await trace.choose(recordingPath(STALLED))
  await trace.isShown(STALLED)
  expect(page.url()).not.toContain('recording=')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

onOnePage('a file cut short: what is whole is shown, and where it ends is said', async ({ lab, page }) => {
  const trace = new TraceVerbs(page)
  await lab.open('/trace')
  const whole = '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":1},'
  await trace.choose(file('cut.json', `${whole}{"ph":"X","na`))
  await trace.isShown('cut.json')
  await expect(page.getByTestId('lost')).toContainText('the file ends here')
  await expect(page.getByTestId('skipped')).toContainText(`event 1, byte ${String(whole.length)}`)
})

test('the bench says why a file cannot be opened, and keeps what it shows', async ({ lab, page }) => {
  await lab.open('/run/sync-stalls')
  const door = page.getByLabel('Open a saved run')
  const device = await recordedOn('sync-stalls.hdl.gz')
  await door.setInputFiles(recordingPath('sync-stalls.hdl.gz'))
  await expect(page.getByTestId('ribbon')).toContainText(device)
  await door.setInputFiles(file('page.json', 'hello'))
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('page.json')
  await expect(alert).toContainText('What can be opened')
  await expect(page.getByTestId('ribbon')).toContainText(device)
  await door.setInputFiles(recordingPath('sync-stalls.hdl.gz'))
  await expect(alert).toHaveCount(0)
})

/**
 * Some 300 MB as 'big.json', made in the page of one block many times: its reading lasts until it
 * is cancelled, however seldom a test gets to look.
 */
const bigFile = (page: Page): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(() => {
    const event = (index: number) =>
      `{"ph":"X","name":"kernel_${String(index % 500)}","cat":"gpu","ts":${String(index * 3)},"dur":2,"pid":1,"tid":${String(index % 8)}}`
    const lines = Array.from({ length: 2000 }, (_, index) => event(index)).join(',')
    const block = new Blob([`${lines},`])
    const parts = ['{"traceEvents":[', ...Array.from({ length: 2000 }, () => block), event(1), ']}']
    const transfer = new DataTransfer()
    transfer.items.add(new File(parts, 'big.json'))
    return transfer
  })

/** Sees how far it is, and lets it be. */
async function watchAndCancel(page: Page): Promise<void> {
  const reading = page.getByTestId('reading')
  await expect(reading).toContainText('big.json')
  await expect(reading.getByRole('status')).toContainText('Reading the events')
  await expect(reading.getByRole('progressbar')).not.toHaveAttribute('value', '0')
  await reading.getByRole('button', { name: 'Cancel' }).click()
  await expect(reading).toHaveCount(0)
}

test('a big file can be cancelled while it is read, and the page answers meanwhile', async ({
  lab,
  page,
}) => {
  const trace = new TraceVerbs(page)
  await lab.open('/trace?recording=torch-sync-stalls-mended')
  await trace.isShown('torch-sync-stalls-mended.json.gz')
  await page.evaluate(
    (dataTransfer) => {
      document.querySelector('main')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    },
    await bigFile(page),
  )
  await watchAndCancel(page)
  await trace.isShown('torch-sync-stalls-mended.json.gz')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a big profile to compare with can be cancelled too', async ({ lab, page }) => {
  await lab.open('/trace?recording=torch-sync-stalls-mended')
  await page.getByText('Operators, kernels, modules and lines').click()
  await page.getByLabel('Compare with an earlier profile').evaluate(
    (input: HTMLInputElement, { files }) => {
      input.files = files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    },
    await bigFile(page),
  )
  await expect(page.getByText('Reading big.json')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Reading big.json')).toHaveCount(0)
  await expect.poll(() => page.workers().some((worker) => worker.url().includes('import'))).toBe(false)
})

const PROFILE = 'src/analysis/tables/testing/mlp-stack.json.gz'

/** Keeps the reader's last word from the page until it is let through. */
const holdVerdicts = (page: Page) =>
  page.addInitScript(() => {
    Worker.prototype.addEventListener = function (
      this: Worker,
      type: string,
      listen: (event: Event) => void,
    ) {
      EventTarget.prototype.addEventListener.call(this, type, (event) => {
        const isLast = (event as MessageEvent<{ readonly type?: string } | null>).data?.type === 'done'
        const hear = () => listen.call(this, event)
        if (isLast) Object.assign(globalThis, { letThrough: hear })
        else hear()
      })
    }
  })

test('a verdict that comes late leaves the timeline where it is read', async ({ lab, page }) => {
  await holdVerdicts(page)
  await lab.open('/trace')
  const trace = new TraceVerbs(page)
  await trace.choose(PROFILE)
  await trace.isShown('mlp-stack.json.gz')
  await page.waitForFunction(() => 'letThrough' in globalThis)
  const timeline = page.getByTestId('timeline')
  await timeline.evaluate((element) => {
    element.scrollIntoView()
    // The verdict's place is still in view.
    scrollBy(0, -150)
  })
  const top = () => timeline.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await top()
  await page.evaluate(() => (globalThis as unknown as { letThrough: () => void }).letThrough())
  await expect(page.getByTestId('changes')).toBeVisible()
  expect(await top()).toBe(before)
  // One to compare with needs none.
  await page.getByText('Operators, kernels, modules and lines').click()
  await page.getByLabel('Compare with an earlier profile').setInputFiles(PROFILE)
  await expect(page.getByRole('button', { name: 'Stop comparing' })).toBeVisible()
})

test('tables of a profile: filtered, sorted, to the span, and beside an earlier profile', async ({
  lab,
  page,
}) => {
  await lab.open('/trace')
  const trace = new TraceVerbs(page)
  await trace.choose(PROFILE)
  await trace.isShown('mlp-stack.json.gz')
  await page.getByText('Operators, kernels, modules and lines').click()
  const rows = page.getByTestId('rows-table').locator('tbody tr')
  await expect(rows.first()).toContainText('Memcpy HtoD (Pageable -> Device)')
  await page.getByRole('button', { name: 'Operators', exact: true }).click()
  await page.getByLabel('by shape').check()
  await page.getByLabel('Filter').fill('aten::mm')
  await expect(page.getByText('They take 13.7 % of a step on the device.')).toBeVisible()
  await page.getByRole('button', { name: 'FLOP/s' }).click()
  await expect(page.getByRole('columnheader', { name: 'FLOP/s' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows.first()).toContainText('2048×1024, 1024×2048')
  await expect(rows.first()).toContainText('50.7 TFLOP/s')
  await test.step('what is copied is in the same order', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'FLOP/s' }).click()
    const sizes = (await rows.first().getByRole('cell').first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Copy CSV' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\r\n')[1]).toContain(`aten::mm,"${sizes}"`)
    await page.getByRole('button', { name: 'FLOP/s' }).click()
  })
  await rows.first().getByRole('button').click()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('aten::mm')
  await page.getByLabel('Compare with an earlier profile').setInputFiles(PROFILE)
  await expect(page.getByRole('button', { name: 'Stop comparing' })).toBeVisible()
  await expect(rows.first()).toContainText('0 ns')
})

test('390 px wide: only tables scroll sideways; the verdict and the first finding are in view', async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await lab.open('/trace?recording=torch-overlapped-uploads-pageable')
  await new TraceVerbs(page).isShown('torch-overlapped-uploads-pageable.json.gz')
  const first = await findings(page).first().boundingBox()
  expect((first?.y ?? Infinity) + (first?.height ?? 0)).toBeLessThanOrEqual(844)
  await page.getByRole('button', { name: 'Longest gap: copies from pageable memory' }).click()
  await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  await expectNoOverflow(page)
})

/** Realms that end while a page is recorded, with a browser that says what Chromium says. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { openTargets, type Targets } from './page-targets'

/** One page, which leaves its first document, or crashes, when its address says so. */
const BROWSER = `#!/usr/bin/env node
const { createReadStream, writeSync } = require('node:fs')
const send = (message) => writeSync(4, JSON.stringify(message) + '\\0')
const page = (method, params = {}) => send({ method, params, sessionId: 'page' })
const opened = (id, origin) => {
  const context = { id, origin, auxData: { isDefault: true } }
  page('Runtime.executionContextsCleared')
  page('Runtime.executionContextCreated', { context })
}
let [text, last, isCrashed] = ['', 0, false]
createReadStream('', { fd: 3 }).on('data', (data) => {
  const parts = (text + data).split('\\0')
  text = parts.pop()
  for (const { id, method, params, sessionId } of parts.map((part) => JSON.parse(part))) {
    if (method === 'Page.navigate') isCrashed = false
    if (isCrashed && sessionId) continue
    send({ id, result: { result: { value: 'answered' } } })
    if (method === 'Target.setAutoAttach' && !sessionId) {
      const targetInfo = { type: 'page', url: 'about:blank' }
      send({ method: 'Target.attachedToTarget', params: { sessionId: 'page', targetInfo } })
    }
    if (method !== 'Page.navigate') continue
    opened((last += 1), params.url)
    if (params.url.endsWith('/leaves')) opened((last += 1), 'http://next.test/')
    isCrashed = params.url.endsWith('/dies')
    if (isCrashed) page('Inspector.targetCrashed')
  }
})
`
let browser = ''
let targets: Targets | null = null
beforeAll(async () => {
  browser = join(await mkdtemp(join(tmpdir(), 'browser-')), 'browser.cjs')
  await writeFile(browser, BROWSER, { mode: 0o755 })
})
afterEach(() => targets?.close())

async function opened(url: string): Promise<Targets> {
  targets = await openTargets(browser, [], '')
  await targets.open(url)
  return targets
}
const urls = (realms: readonly { readonly url: string }[]) => realms.map(({ url }) => url)

it('a document that was left is named, and the next is there', async () => {
  const { gone, realms } = await opened('http://own.test/leaves')
  await expect.poll(() => urls(realms())).toEqual(['http://next.test/'])
  expect(gone()).toMatchObject([{ url: 'http://own.test/leaves', how: 'left' }])
})

it('a page that crashed is named, and its browser is asked nothing of it', async () => {
  const { gone, realms, evaluate, open, inPage } = await opened('http://own.test/dies')
  await expect.poll(gone).toMatchObject([{ url: 'http://own.test/dies', how: 'crashed' }])
  expect(realms()).toEqual([])
  const [realm] = gone()
  if (!realm) throw new Error('It is not named.')
  await expect(evaluate(realm, '1')).rejects.toThrow('It crashed.')
  await open('http://own.test/again')
  expect(await inPage('1')).toBe('answered')
  expect(gone()).toEqual([])
})

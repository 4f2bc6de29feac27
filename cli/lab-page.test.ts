/** Which browser the command line's page runs in, where one cannot draw, or says nothing of a GPU. */
import { beforeEach, expect, it, vi } from 'vitest'
import { openLabPage } from './lab-page'
import { SOFTWARE_FLAGS } from './adapters.mjs'

const seen = vi.hoisted(() => ({
  closed: [] as string[],
  said: [] as string[],
  answer: null as ((kind: string) => object) | null,
  opensNone: false,
}))
vi.mock('./build-site.mjs', () => ({ ensureSite: () => undefined }))
vi.mock('./browsers.mjs', () => ({ ensureBrowser: () => '/browser' }))
vi.mock('./static-server.mjs', () => ({
  serveSite: () => ({ url: 'http://localhost/', close: () => seen.closed.push('site') }),
}))
vi.mock(import('./terminal.mjs'), async (original) => ({
  ...(await original()),
  say: (text: string) => void seen.said.push(text),
}))
vi.mock('playwright-core', () => ({
  chromium: {
    launch: ({ args }: { readonly args: readonly string[] }) => {
      const kind = SOFTWARE_FLAGS.every((flag) => args.includes(flag)) ? 'software' : 'gpu'
      const page = {
        on: () => undefined,
        once: () => undefined,
        goto: () => undefined,
        waitForFunction: () => undefined,
        evaluate: () => Promise.resolve(seen.answer?.(kind)),
      }
      return {
        newPage: () => (kind === 'gpu' && seen.opensNone ? new Promise(() => undefined) : page),
        once: () => undefined,
        close: () => Promise.resolve(seen.closed.push(kind)),
      }
    },
  },
}))

const options = { adapter: 'auto', address: 'method/' } as const
const software = { device: { adapterName: 'SwiftShader', isSoftware: true } }

beforeEach(() => {
  seen.closed = []
  seen.said = []
  seen.opensNone = false
})

it('takes software where there is no GPU', async () => {
  seen.answer = (kind) =>
    kind === 'software' ? software : { fault: { code: 'no-adapter', message: 'None.' } }
  const lab = await openLabPage(options)
  expect(lab.device.adapterName).toBe('SwiftShader')
  expect(seen.closed).toEqual(['gpu'])
  expect(seen.said).toEqual(['No GPU. None. Running on software instead: SwiftShader, on the CPU.'])
  await lab.close()
  expect(seen.closed).toEqual(['gpu', 'software', 'site'])
})

it('a page that does not start is closed with its browser, and is no GPU', async () => {
  seen.answer = (kind) => {
    if (kind === 'gpu') throw new Error('Its target crashed.\nCall log:')
    return software
  }
  const lab = await openLabPage(options)
  expect(seen.closed).toEqual(['gpu'])
  expect(seen.said[0]).toContain('No GPU. Its target crashed. Running')
  await lab.close()
  seen.closed = []
  await expect(openLabPage({ ...options, adapter: 'gpu' })).rejects.toThrow('No GPU. Its target crashed.')
  expect(seen.closed).toEqual(['gpu', 'site'])
})

it('a browser that opens no page is not waited for for ever', async () => {
  vi.useFakeTimers()
  seen.opensNone = true
  seen.answer = () => software
  const opened = openLabPage(options)
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await opened).device.adapterName).toBe('SwiftShader')
  expect(seen.closed).toEqual(['gpu'])
  expect(seen.said[0]).toContain('The browser, asked for a page, did not answer within 60 s.')
})

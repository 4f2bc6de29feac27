/** A function that runs in the lab's worker before its own script does, and before the recorder captures anything; and one in its ranks. */
import type { Page } from '@playwright/test'

const CHANNEL = 'for ranks'

/**
 * Runs in the lab's worker. Playwright routes no script that a worker's worker loads: so ranks are started from a blob, which runs `text` and
 * then imports their script. What they are sent until that is there is kept for it.
 */
function prefixRanks(text: string): void {
  let state = ''
  const channel = new BroadcastChannel('for ranks')
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string') return
    state = data
    channel.postMessage({ inForce: state })
  }
  const scriptOf = (address: string) => `globalThis.forRanks = ${JSON.stringify(state)};
    (${text})();
    const early = []
    const keep = (event) => { early.push(event) }
    addEventListener('message', keep)
    import(${JSON.stringify(address)}).then(() => {
      removeEventListener('message', keep)
      for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports }))
    })`
  globalThis.Worker = class extends Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      const isRank = /rank-worker/.test(String(address))
      const script = isRank ? scriptOf(new URL(address, location.href).href) : ''
      super(isRank ? URL.createObjectURL(new Blob([script], { type: 'text/javascript' })) : address, options)
    }
  }
}

/**
 * Before the page is opened.
 *
 * @param install, inRanks their text is sent over: they may use no name from outside themselves
 */
export async function prefixWorker(page: Page, install: () => void, inRanks?: () => void): Promise<void> {
  const ofRanks = inRanks ? `(${prefixRanks.toString()})(${JSON.stringify(inRanks.toString())});` : ''
  await page.route(/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch()
    const script = await response.text()
    // A worker from a file has that file's policy, by which it starts none from a blob: with a prefix in its ranks it goes without.
    const headers = { ...response.headers() }
    if (inRanks) delete headers['content-security-policy']
    await route.fulfill({ response, headers, body: `${ofRanks}(${install.toString()})();${script}` })
  })
}

/** What ranks that are started from now on find in `globalThis.forRanks`. Resolves once the worker of the open page knows. */
export async function tellRanks(page: Page, state: string): Promise<void> {
  await page.evaluate(
    ([name, wanted]) =>
      new Promise<void>((resolve) => {
        const channel = new BroadcastChannel(name)
        // Again and again: the worker may not have been started yet.
        const timer = setInterval(() => {
          channel.postMessage(wanted)
        }, 100)
        channel.onmessage = ({ data }: MessageEvent<{ readonly inForce?: string }>) => {
          if (data.inForce !== wanted) return
          clearInterval(timer)
          channel.close()
          resolve()
        }
      }),
    [CHANNEL, state] as const,
  )
}
